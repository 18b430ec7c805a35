//! Numbers as bytes, the lowest first.

/// Writes one after another.
#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(super) fn floats(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    pub(super) fn doubles(&mut self, numbers: &[f64]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
}

/// Reads what is left; `None` where that is too little.
#[derive(Debug)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, left) = self.0.split_at_checked(count)?;
        self.0 = left;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(super) fn numbers<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    pub(super) fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let (parts, _) = self.take(count.checked_mul(4)?)?.as_chunks::<4>();
        Some(parts.iter().map(|part| f32::from_le_bytes(*part)).collect())
    }

    pub(super) fn doubles<const N: usize>(&mut self) -> Option<[f64; N]> {
        Some(self.numbers::<N>()?.map(f64::from_bits))
    }
}

/// A check sum: FNV-1a over words of eight bytes.
pub(super) fn sum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let all = words.chain(rest.iter().map(|&byte| u64::from(byte)));
    all.fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        let sum = (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        sum ^ sum >> 29
    })
}
