//! Streaming reader of the rows of a CSV file.

use crate::Error;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::ops::Range;

/// Maximum number of bytes of a row.
const LONGEST: usize = 1 << 24;
/// Maximum number of bytes in which the header is looked for.
const BEGINNING: usize = 1 << 16;
/// Byte order mark of UTF-8, which some programs write first.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// First character of a comment line.
const COMMENT: u8 = b'#';

/// Row with its first line number.
#[derive(Debug, Clone, Default)]
pub(crate) struct CsvRow {
    pub(crate) line: u64,
    text: Vec<u8>,
    cells: Vec<Range<usize>>,
}

impl CsvRow {
    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Bytes of a cell, without spaces at its ends.
    pub(crate) fn bytes(&self, column: usize) -> &[u8] {
        &self.text[self.cells[column].clone()]
    }

    /// Text of a cell.
    pub(crate) fn cell(&self, column: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(column))
    }
}

/// Reads rows with their line numbers, in the memory of a row and in linear time. The delimiter is
/// the comma, the semicolon or the tab that is most frequent in the header. Blank lines and lines
/// that begin with `#` are skipped; LF, CR LF and CR end a line; spaces around a cell are trimmed.
#[derive(Debug)]
pub(crate) struct CsvRows<R> {
    name: String,
    /// The source, after its first bytes.
    source: BufReader<Chain<Cursor<Vec<u8>>, R>>,
    parser: Reader,
    delimiter: u8,
    /// Line ends and bytes read.
    lines: u64,
    bytes: u64,
    /// Whether the last byte was CR, so that a following LF belongs to it.
    returned: bool,
    /// Ends of the cells of the current row.
    ends: Vec<usize>,
}

impl<R: Read> CsvRows<R> {
    /// Reader of `source`; errors name it `name`.
    ///
    /// # Errors
    /// [`Error::Read`] on an I/O error.
    pub(crate) fn new(name: &str, mut source: R) -> Result<Self, Error> {
        let failed = |source| Error::Read { name: name.to_owned(), source };
        let mut start = beginning(&mut source).map_err(failed)?;
        let mut bytes = 0;
        if start.starts_with(MARK) {
            start.drain(..MARK.len());
            bytes = MARK.len() as u64;
        }
        let delimiter = delimiter_of(header(&start));
        Ok(Self {
            name: name.to_owned(),
            // Larger than the default buffer: one system call per some thousand rows.
            source: BufReader::with_capacity(1 << 17, Cursor::new(start).chain(source)),
            parser: ReaderBuilder::new().delimiter(delimiter).build(),
            delimiter,
            lines: 0,
            bytes,
            returned: false,
            ends: vec![0; 1 << 6],
        })
    }

    /// Name of the source in errors.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Byte that separates cells.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Number of bytes read.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the next row is buffered, so that reading it does not block.
    pub(crate) fn is_ready(&self) -> bool {
        // Blank lines, and the LF of a CR LF, are no row.
        self.source.buffer().iter().skip_while(|b| is_end(**b)).any(|b| is_end(*b))
    }

    /// Reads the next row; false at the end of the file.
    ///
    /// # Errors
    /// [`Error::Read`] on an I/O error, [`Error::RowTooLong`].
    pub(crate) fn read(&mut self, row: &mut CsvRow) -> Result<bool, Error> {
        if !self.skip_lines().map_err(|source| self.failed(source))? {
            return Ok(false);
        }
        row.line = self.lines + 1;
        let start = self.bytes;
        row.text.resize(row.text.len().max(1 << 10), 0);
        let (mut written, mut cells) = (0, 0);
        loop {
            let input = match self.source.fill_buf() {
                Ok(input) => input,
                Err(source) => return Err(self.failed(source)),
            };
            let (output, ends) = (&mut row.text[written..], &mut self.ends[cells..]);
            let (state, read, wrote, ended) = self.parser.read_record(input, output, ends);
            self.lines += count_ends(&input[..read], &mut self.returned);
            self.source.consume(read);
            (written, cells) = (written + wrote, cells + ended);
            self.bytes += read as u64;
            if self.bytes - start > LONGEST as u64 {
                let (name, row) = (self.name.clone(), row.line);
                return Err(Error::RowTooLong { name, row, longest: LONGEST });
            }
            match state {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => row.text.resize(2 * row.text.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return Ok(false),
            }
        }
        row.cells.clear();
        let mut from = 0;
        for &end in &self.ends[..cells] {
            let cell = &row.text[from..end];
            let (left, right) = (cell.trim_ascii_start().len(), cell.trim_ascii().len());
            row.cells.push(end - left..end - left + right);
            from = end;
        }
        Ok(true)
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Read { name: self.name.clone(), source }
    }

    /// Skips blank lines and comments; returns false at the end of the file.
    fn skip_lines(&mut self) -> io::Result<bool> {
        let mut comment = false;
        loop {
            let buffer = self.source.fill_buf()?;
            let skipped = buffer.iter().take_while(|byte| {
                comment = if comment { !is_end(**byte) } else { **byte == COMMENT };
                comment || is_end(**byte)
            });
            let skipped = skipped.count();
            let more = skipped < buffer.len();
            self.lines += count_ends(&buffer[..skipped], &mut self.returned);
            self.bytes += skipped as u64;
            self.source.consume(skipped);
            if more || skipped == 0 {
                return Ok(more);
            }
        }
    }
}

/// First bytes of a source, at least its header unless that is longer than [`BEGINNING`].
fn beginning(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let (mut start, mut buffer) = (Vec::new(), vec![0; 1 << 13]);
    // Start of the current line, and the bytes in which no other line ends.
    let (mut line, mut seen) = (0, 0);
    while start.len() < BEGINNING {
        while let Some(end) = start[seen..].iter().position(|byte| is_end(*byte)) {
            let next = seen + end + 1;
            if !header(&start[line..next]).is_empty() {
                return Ok(start);
            }
            (line, seen) = (next, next);
        }
        seen = start.len();
        match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => start.extend(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(start)
}

/// First line that is neither blank nor a comment.
fn header(start: &[u8]) -> &[u8] {
    let start = start.strip_prefix(MARK).unwrap_or(start);
    let mut lines = start.split_inclusive(|byte| is_end(*byte));
    lines.find(|line| !(is_end(line[0]) || line[0] == COMMENT)).unwrap_or_default()
}

/// Comma, semicolon or tab, whichever is most frequent outside quotes.
fn delimiter_of(header: &[u8]) -> u8 {
    let count = |delimiter: u8| {
        let mut quoted = false;
        let outside = header.iter().filter(|byte| {
            quoted ^= **byte == b'"';
            !quoted && **byte == delimiter
        });
        outside.count()
    };
    let [comma, semicolon, tab] = [b',', b';', b'\t'].map(count);
    // Names have commas more often than semicolons, and tabs never.
    if tab > 0 && tab >= comma.max(semicolon) {
        b'\t'
    } else if comma >= semicolon {
        b','
    } else {
        b';'
    }
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Number of line ends: LF, CR LF and CR, where `returned` tells whether the byte before was CR.
fn count_ends(bytes: &[u8], returned: &mut bool) -> u64 {
    let mut ends = 0;
    for &byte in bytes {
        ends += u64::from(is_end(byte) && !(*returned && byte == b'\n'));
        *returned = byte == b'\r';
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use csv::Trim;

    /// Lines and cells.
    fn rows(text: &str) -> Vec<(u64, Vec<String>)> {
        // One byte at a time, as from a slow pipe.
        let mut rows = CsvRows::new("x.csv", Slow(text.as_bytes())).unwrap();
        let (mut row, mut found) = (CsvRow::default(), Vec::new());
        while rows.read(&mut row).unwrap() {
            let cells = (0..row.len()).map(|column| row.cell(column).into_owned());
            found.push((row.line, cells.collect()));
        }
        assert_eq!(rows.bytes(), text.len() as u64);
        found
    }

    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let taken = self.0.len().min(1).min(buffer.len());
            buffer[..taken].copy_from_slice(&self.0[..taken]);
            self.0 = &self.0[taken..];
            Ok(taken)
        }
    }

    #[test]
    fn rows_are_what_the_csv_crate_makes_of_them() {
        let texts = [
            "t,x\n0, 1 \n\n\n2,3",
            "t,x\r\n0,1\r\n\r\n2,3\r\n",
            "t,x\r0,1\r2,3\r",
            "\u{feff}t,x\n0,\n,\n,,1\n",
            "\"a,b\",\"c\"\"d\"\n\"two\nlines\",x\n1,2\n",
            "a\"b,c\n 1,\"\"\n\"\",\"x\"\n",
            "\"a\"b\"c\nd\"e,f\n1,2\n",
            "\"never closed\n1,2\n",
            "",
            "\n\n",
            "# made by\n#\n\nt,x\n0,1\n#2,3\n4,\"#5\n#6\"\n#\n",
        ];
        for text in texts {
            let mut reader = csv::ReaderBuilder::new();
            let reader =
                reader.has_headers(false).flexible(true).trim(Trim::All).comment(Some(b'#'));
            let expected: Vec<Vec<String>> = reader
                .from_reader(text.as_bytes())
                .records()
                .map(|row| row.unwrap().iter().map(str::to_owned).collect())
                .collect();
            let found: Vec<Vec<String>> = rows(text).into_iter().map(|row| row.1).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn rows_know_their_lines() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "t,x\n\n0,1\n\n\"a\nb\",2\n\n3,4\n".replace('\n', end);
            let lines: Vec<u64> = rows(&text).into_iter().map(|row| row.0).collect();
            assert_eq!(lines, [1, 3, 5, 8], "{text:?}");
        }
    }

    #[test]
    fn the_header_tells_the_delimiter() {
        for (text, delimiter) in [
            ("t,x\n0;1;2\n", b','),
            ("t;x\n0,5;1,5\n", b';'),
            ("t\tx, in m\ty, in m\n", b'\t'),
            ("t;\"a,b,c\";x\n", b';'),
            ("\u{feff}# a,b,c\n\nt;x\r", b';'),
            ("x\n1;2\n", b','),
            (&"x;".repeat(100_000), b';'),
            (&format!("{}t;x\n0,5;1,5\n", "# a, b, c\n".repeat(6_000)), b';'),
            ("", b','),
        ] {
            let rows = CsvRows::new("x.csv", Slow(text.as_bytes())).unwrap();
            assert_eq!(rows.delimiter(), delimiter, "{text:?}");
        }
    }

    #[test]
    fn a_file_without_lines_does_not_fill_the_memory() {
        let mut rows = CsvRows::new("x.csv", std::io::repeat(b'1')).unwrap();
        let read = rows.read(&mut CsvRow::default());
        assert!(matches!(read, Err(Error::RowTooLong { row: 1, .. })));
    }

    /// Quoted cells over many lines, and many cells, take linear time.
    #[test]
    fn long_cells_and_wide_rows() {
        let mut row = CsvRow::default();
        let text = format!("a,b\n\"{}\",1\n", "line\n".repeat(1 << 20));
        let mut rows = CsvRows::new("x.csv", text.as_bytes()).unwrap();
        assert!(rows.read(&mut row).unwrap() && rows.read(&mut row).unwrap());
        assert_eq!((row.line, row.cell(0).len(), row.bytes(1)), (2, 5 * (1 << 20) - 1, &b"1"[..]));
        let text = "1,".repeat(1 << 20);
        let mut rows = CsvRows::new("x.csv", text.as_bytes()).unwrap();
        assert!(rows.read(&mut row).unwrap());
        assert_eq!(row.len(), (1 << 20) + 1);
        assert!(!rows.read(&mut row).unwrap());
    }
}
