//! The commands by their names: the one list that `list_commands`, `known_command` and the session
//! go by.

macro_rules! commands {
    ($($command:ident $name:literal $arguments:literal),+ $(,)?) => {
        /// A command of the protocol.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Command { $($command),+ }

        impl Command {
            /// Every command: it, its name, and its arguments as they are explained.
            pub(super) const ALL: &[(Self, &str, &str)] =
                &[$((Self::$command, $name, $arguments)),+];
        }
    };
}

commands! {
    ProtocolVersion "protocol_version" "",
    Name "name" "",
    Version "version" "",
    IsKnown "known_command" "NAME",
    ListCommands "list_commands" "",
    Quit "quit" "",
    BoardSize "boardsize" "SIZE or COLUMNS ROWS",
    ClearBoard "clear_board" "",
    Komi "komi" "NUMBER",
    Play "play" "COLOUR VERTEX",
    GenMove "genmove" "COLOUR",
    RegGenMove "reg_genmove" "COLOUR",
    Undo "undo" "",
    ShowBoard "showboard" "",
    SetFreeHandicap "set_free_handicap" "VERTEX VERTEX...",
    FinalScore "final_score" "",
    LoadSgf "loadsgf" "FILE [MOVE]",
    TimeSettings "time_settings" "MAIN PERIOD MOVES",
    KgsTimeSettings "kgs-time_settings" "FORM SECONDS...",
    TimeLeft "time_left" "COLOUR SECONDS MOVES",
    Analyze "analyze" "[COLOUR] [INTERVAL] [WORD VALUE]...",
    LeelaAnalyze "lz-analyze" "[COLOUR] [INTERVAL] [WORD VALUE]...",
    KataAnalyze "kata-analyze" "[COLOUR] [INTERVAL] [WORD VALUE]...",
    GenMoveAnalyze "genmove_analyze" "COLOUR [INTERVAL] [WORD VALUE]...",
    LeelaGenMoveAnalyze "lz-genmove_analyze" "COLOUR [INTERVAL] [WORD VALUE]...",
    KataGenMoveAnalyze "kata-genmove_analyze" "COLOUR [INTERVAL] [WORD VALUE]...",
}

impl Command {
    /// The command of this name.
    pub(super) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(command, ..)| *command)
    }

    /// What is wrong if it has other arguments than it can have.
    pub(super) fn syntax_error(self, found: &[&str]) -> String {
        let entry = Self::ALL.iter().find(|(command, ..)| *command == self);
        let expected = match entry {
            Some((_, name, "")) => format!("{name} without arguments"),
            Some((_, name, arguments)) => format!("{name} {arguments}"),
            None => String::new(),
        };
        let found = match found {
            [] => "no arguments".to_owned(),
            words => format!("'{}'", words.join(" ")),
        };
        format!("syntax error: expected {expected}, found {found}")
    }
}
