//! Streaming reader of the rows of a CSV file.

use crate::Error;
use csv::{ByteRecord, ReaderBuilder, Trim};
use std::io::{BufRead, BufReader, Read};

/// Maximum number of bytes of a row.
const LONGEST: usize = 1 << 24;

/// Row with its first line number.
#[derive(Debug, Clone)]
pub(crate) struct CsvRow {
    pub(crate) line: u64,
    pub(crate) cells: ByteRecord,
}

/// Reads rows with their line numbers in constant memory. Blank lines are skipped; LF, CR LF and CR
/// end a line; spaces around a cell are trimmed.
#[derive(Debug)]
pub(crate) struct CsvRows<R> {
    name: String,
    reader: BufReader<R>,
    /// Lines and bytes read.
    line: u64,
    bytes: u64,
    /// Whether the last line ended in CR, so that a following LF belongs to it.
    returned: bool,
    text: Vec<u8>,
}

impl<R: Read> CsvRows<R> {
    /// Reader of `source`; errors name it `name`.
    pub(crate) fn new(name: &str, source: R) -> Self {
        // Larger than the default buffer: one system call per some thousand rows.
        let reader = BufReader::with_capacity(1 << 17, source);
        let name = name.to_owned();
        Self { name, reader, line: 0, bytes: 0, returned: false, text: Vec::new() }
    }

    /// Number of bytes read.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the next row is buffered, so that reading it does not block.
    pub(crate) fn is_ready(&self) -> bool {
        // Blank lines, and the LF of a CR LF, are no row.
        self.reader.buffer().iter().skip_while(|b| is_end(**b)).any(|b| is_end(*b))
    }

    /// Next row; `None` at the end of the file.
    ///
    /// # Errors
    /// [`Error::Read`] on an I/O error, [`Error::RowTooLong`].
    pub(crate) fn next(&mut self) -> Result<Option<CsvRow>, Error> {
        self.text.clear();
        while self.text.is_empty() {
            if !self.read_line()? {
                return Ok(None);
            }
            if self.line == 1 && self.text.starts_with(b"\xef\xbb\xbf") {
                self.text.drain(..3);
            }
        }
        let line = self.line;
        if !self.text.contains(&b'"') {
            let cells = self.text.split(|b| *b == b',').map(<[u8]>::trim_ascii);
            return Ok(Some(CsvRow { line, cells: cells.collect() }));
        }
        while ends_in_quotes(&self.text) {
            self.text.push(b'\n');
            if !self.read_line()? {
                break;
            }
        }
        let mut reader = ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).trim(Trim::All);
        let mut cells = ByteRecord::new();
        let read = reader.from_reader(&self.text[..]).read_byte_record(&mut cells);
        read.map_err(|source| Error::Csv { name: self.name.clone(), source })?;
        Ok(Some(CsvRow { line, cells }))
    }

    /// Appends a line without its line end to `text`; returns false at the end of the file.
    fn read_line(&mut self) -> Result<bool, Error> {
        let mut started = false;
        loop {
            let buffer = self
                .reader
                .fill_buf()
                .map_err(|source| Error::Read { name: self.name.clone(), source })?;
            if buffer.is_empty() {
                self.line += u64::from(started);
                return Ok(started);
            }
            let skipped = usize::from(self.returned && buffer[0] == b'\n');
            self.returned = false;
            let buffer = &buffer[skipped..];
            let end = buffer.iter().position(|b| is_end(*b));
            let taken = end.unwrap_or(buffer.len());
            self.text.extend_from_slice(&buffer[..taken]);
            self.returned = end.is_some_and(|end| buffer[end] == b'\r');
            started |= !buffer.is_empty();
            let consumed = skipped + taken + usize::from(end.is_some());
            self.reader.consume(consumed);
            self.bytes += consumed as u64;
            if self.text.len() > LONGEST {
                let (name, row) = (self.name.clone(), self.line + 1);
                return Err(Error::RowTooLong { name, row, longest: LONGEST });
            }
            if end.is_some() {
                self.line += 1;
                return Ok(true);
            }
        }
    }
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether the text ends inside a quoted cell, which continues on the next line.
fn ends_in_quotes(text: &[u8]) -> bool {
    let (mut quoted, mut first) = (false, true);
    for &byte in text {
        if byte == b'"' && (first || quoted) {
            // A doubled quote leaves and re-enters the quoted cell.
            quoted = !quoted;
            first = !quoted;
        } else {
            first = !quoted && byte == b',';
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines and cells.
    fn rows(text: &str) -> Vec<(u64, Vec<String>)> {
        // One byte at a time, as from a slow pipe.
        let mut rows = CsvRows::new("x.csv", Slow(text.as_bytes()));
        let mut found = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            let cells = row.cells.iter().map(|c| String::from_utf8(c.to_vec()).unwrap());
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
        ];
        for text in texts {
            let mut reader = ReaderBuilder::new();
            let reader = reader.has_headers(false).flexible(true).trim(Trim::All);
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
    fn a_file_without_lines_does_not_fill_the_memory() {
        let mut rows = CsvRows::new("x.csv", std::io::repeat(b'1'));
        assert!(matches!(rows.next(), Err(Error::RowTooLong { row: 1, .. })));
    }
}
