use super::{PlayerSpec, Protocol, Spec, SpecError};

fn wrong(text: &str) -> SpecError {
    text.parse::<Spec>().expect_err(text)
}

#[test]
fn what_is_shown_is_read_back_the_same() {
    for text in [
        "random",
        "mcts",
        "mcts:c=0.7,threads=2,time=1s",
        "mcts:simulations=10000,ucb=tuned",
        "mcts:literal,simulations=100,no-proofs",
        "alphabeta:depth=6,threads=2,mode=split",
        "alphabeta:no-table,no-pvs,min-split-depth=3,reductions",
        "uci:fairy-stockfish,depth=3,variant=xiangqi",
        "ucci:hoixiangqi",
        "gtp:gtp-rhino,level=2",
        r#"gtp:"/opt/my engine, new",args="gtp --mode \"x\" \\",timeout=3s"#,
        r#"uci:stockfish,options="Hash=64;Skill Level=3""#,
    ] {
        let spec: Spec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(spec.to_string(), text);
        let again: Spec = spec.to_string().parse().expect("it can be read");
        assert_eq!(format!("{again:?}"), format!("{spec:?}"));
    }
}

#[test]
fn blanks_around_parts_do_not_matter() {
    let spec: Spec = r#"gtp: gtp-rhino , args = "-b 0" , level=2"#.parse().expect("it is right");
    assert_eq!(spec.to_string(), "gtp:gtp-rhino,args=-b 0,level=2");
    let PlayerSpec::Program { protocol, program, settings } = spec.player else {
        panic!("it is a program");
    };
    assert_eq!((protocol, program.as_str()), (Protocol::Gtp, "gtp-rhino"));
    assert_eq!((settings.args.as_deref(), settings.level), (Some("-b 0"), Some(2)));
}

#[test]
fn an_error_points_at_the_wrong_part() {
    for (text, marked, parts) in [
        (
            "mtcs:time=1s",
            "mtcs",
            &["one of mcts", "found 'mtcs'; is 'mcts' meant? (character 1)"][..],
        ),
        ("mcts:time=1x", "1x", &["a duration", "found '1x'", "character 11)"]),
        ("mcts:time=1s,tim=3", "tim", &["a key of mcts (time, ", "found 'tim'; is 'time' meant?"]),
        ("mcts:simulations=0,c=1", "0", &["at least 1"]),
        ("mcts:selection=uct", "uct", &["ucb1"]),
        ("mcts:selection=puct", "selection=puct", &["a network with PUCT", "none"]),
        ("mcts:root=gumbel", "root=gumbel", &["a network"]),
        ("mcts:network=x,cut-off=3", "cut-off=3", &["network", "both"]),
        ("mcts:c=1,ucb=tuned", "ucb=tuned", &["ucb ucb1"]),
        ("mcts:time=1s,time=2s", "time=2s", &["time once"]),
        ("mcts:literal,table=shards", "table=shards", &["literal", "both"]),
        ("mcts:c=-1", "c=-1", &["0 to 1000000"]),
        ("mcts:soft-time=1s", "soft-time=1s", &["time"]),
        ("mcts:", "", &["a key", "found nothing"]),
        ("mcts:time", "time", &["a value"]),
        ("mcts:literal=yes", "literal=yes", &["literal"]),
        ("mcts:clock=5m", "clock", &["a key of mcts"]),
        ("alphabeta:mode=tree", "tree", &["root, split, table"]),
        ("alphabeta:simulations=9", "simulations", &["a key of alphabeta (time, "]),
        ("alphabeta:no-table,memory=1MiB", "memory=1MiB", &["both"]),
        ("alphabeta:depth=6,memory=8", "memory=8", &["at least 64 bytes"]),
        ("alphabeta:max-threads-per-split=1", "max-threads-per-split=1", &["2 to 1024"]),
        ("random:x=1", "x", &["nothing after random"]),
        ("uci", "", &["the name of a program", "found nothing"]),
        ("uci:", "", &["the name of a program", "found nothing"]),
        ("uci:depth=3", "depth=3", &["the name of a program"]),
        ("uci:sf,depth=x", "x", &["a whole number"]),
        ("uci:sf,options=Hash", "Hash", &["options such as"]),
        (r#"uci:sf,args="a"#, r#""a"#, &["a closing quote"]),
        (r#"uci:sf,args="a"b"#, "b", &["a comma"]),
        (r#"uci:s"f"#, "\"", &["quotes around"]),
    ] {
        let error = wrong(text);
        let message = error.to_string();
        for part in parts.iter().chain(&["expected", "found"]) {
            assert!(message.contains(part), "'{part}' in {text}: {message}");
        }
        let picture = error.picture();
        let (line, carets) = picture.split_once('\n').expect("two lines");
        let start = carets.find('^').expect("a caret");
        let under: String = line.chars().skip(start).take(carets.matches('^').count()).collect();
        assert_eq!(under, marked, "{text}: {message}\n{picture}");
    }
}

#[test]
fn carets_count_characters_and_not_bytes() {
    assert_eq!(wrong("gtp:größe,level=x").picture(), "  gtp:größe,level=x\n                  ^");
}
