//! Streaming reader of the rows of a CSV file.

use crate::Error;
use csv::ByteRecord;
use csv_core::{ReadRecordResult, Reader};
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

/// Maximum number of bytes of a row.
const LONGEST: usize = 1 << 24;

/// Row with its first line number.
#[derive(Debug, Clone)]
pub(crate) struct CsvRow {
    pub(crate) line: u64,
    pub(crate) cells: ByteRecord,
}

/// Reads rows with their line numbers, in the memory of a row and in linear time. Blank lines are
/// skipped; LF, CR LF and CR end a line; spaces around a cell are trimmed.
#[derive(Debug)]
pub(crate) struct CsvRows<R> {
    name: String,
    /// The source, after its first bytes.
    source: BufReader<Chain<Cursor<Vec<u8>>, R>>,
    parser: Reader,
    /// Line ends and bytes read.
    lines: u64,
    bytes: u64,
    /// Whether the last byte was CR, so that a following LF belongs to it.
    returned: bool,
    /// Cells of the current row, one after the other, and their ends.
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl<R: Read> CsvRows<R> {
    /// Reader of `source`; errors name it `name`.
    pub(crate) fn new(name: &str, source: R) -> Self {
        // Larger than the default buffer: one system call per some thousand rows.
        let source = BufReader::with_capacity(1 << 17, Cursor::new(Vec::new()).chain(source));
        Self {
            name: name.to_owned(),
            source,
            parser: Reader::new(),
            lines: 0,
            bytes: 0,
            returned: false,
            text: vec![0; 1 << 10],
            ends: vec![0; 1 << 6],
        }
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

    /// Next row; `None` at the end of the file.
    ///
    /// # Errors
    /// [`Error::Read`] on an I/O error, [`Error::RowTooLong`].
    pub(crate) fn next(&mut self) -> Result<Option<CsvRow>, Error> {
        let read = self.skip_byte_order_mark().and_then(|()| self.skip_line_ends());
        if !read.map_err(|source| Error::Read { name: self.name.clone(), source })? {
            return Ok(None);
        }
        let (line, start) = (self.lines + 1, self.bytes);
        let (mut written, mut cells) = (0, 0);
        loop {
            let input = self.source.fill_buf();
            let input = input.map_err(|source| Error::Read { name: self.name.clone(), source })?;
            let (output, ends) = (&mut self.text[written..], &mut self.ends[cells..]);
            let (state, read, wrote, ended) = self.parser.read_record(input, output, ends);
            self.lines += count_ends(&input[..read], &mut self.returned);
            self.source.consume(read);
            (written, cells) = (written + wrote, cells + ended);
            self.bytes += read as u64;
            if self.bytes - start > LONGEST as u64 {
                return Err(Error::RowTooLong {
                    name: self.name.clone(),
                    row: line,
                    longest: LONGEST,
                });
            }
            match state {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.text.resize(2 * self.text.len(), 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return Ok(None),
            }
        }
        let mut row = ByteRecord::with_capacity(written, cells);
        let mut from = 0;
        for &end in &self.ends[..cells] {
            row.push_field(self.text[from..end].trim_ascii());
            from = end;
        }
        Ok(Some(CsvRow { line, cells: row }))
    }

    /// Skips the mark that some programs write first in a UTF-8 file.
    fn skip_byte_order_mark(&mut self) -> io::Result<()> {
        if self.bytes > 0 || !self.source.buffer().is_empty() {
            return Ok(());
        }
        let (start, source) = self.source.get_mut().get_mut();
        let mut first = Vec::new();
        source.take(3).read_to_end(&mut first)?;
        if first == b"\xef\xbb\xbf" {
            self.bytes += 3;
        } else {
            *start = Cursor::new(first);
        }
        Ok(())
    }

    /// Skips blank lines; returns false at the end of the file.
    fn skip_line_ends(&mut self) -> io::Result<bool> {
        loop {
            let buffer = self.source.fill_buf()?;
            let skipped = buffer.iter().take_while(|b| is_end(**b)).count();
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
    use csv::{ReaderBuilder, Trim};

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

    /// Quoted cells over many lines, and many cells, take linear time.
    #[test]
    fn long_cells_and_wide_rows() {
        let text = format!("a,b\n\"{}\",1\n", "line\n".repeat(1 << 20));
        let mut rows = CsvRows::new("x.csv", text.as_bytes());
        assert!(rows.next().unwrap().is_some());
        let row = rows.next().unwrap().unwrap();
        assert_eq!(
            (row.line, row.cells[0].len(), &row.cells[1]),
            (2, 5 * (1 << 20) - 1, &b"1"[..])
        );
        let text = "1,".repeat(1 << 20);
        let mut rows = CsvRows::new("x.csv", text.as_bytes());
        assert_eq!(rows.next().unwrap().unwrap().cells.len(), (1 << 20) + 1);
        assert!(rows.next().unwrap().is_none());
    }
}
