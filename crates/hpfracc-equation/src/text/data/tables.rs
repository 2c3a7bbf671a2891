//! Tables of data: `table load: time -> force from "drive.csv"`.

use crate::equation::TableSource;
use crate::graph::{Interpolation, Table};
use crate::text::expression::{Meaning, Parser, TableDraft};
use crate::text::statements::Statement;
use crate::text::syntax::{ErrorKind, Kind, Parsed, problem};
use std::ops::Range;
use std::sync::Arc;

impl Parser<'_> {
    /// Gives the name of a table its meaning, and returns the index of the table.
    pub(crate) fn declare_table(&mut self, tokens: &Range<usize>) -> Parsed<usize> {
        self.at = tokens.start + 1;
        let (token, index) = (self.peek(), self.draft.tables.len());
        let Kind::Name(id) = token.kind else { return Err(self.expected("the name of the table")) };
        self.declare(id, &token.range(), Meaning::Table(index))?;
        let name = self.names.name(id).to_string();
        self.draft.tables.push(TableDraft { name, ..TableDraft::default() });
        Ok(index)
    }

    /// Reads the data of the table of an index.
    pub(crate) fn read_table(&mut self, statement: &Statement, index: usize) -> Parsed<()> {
        self.at = statement.tokens.start + 2;
        self.expect(Kind::Colon, "`:`")?;
        let start = self.peek().start;
        let (source, columns) = if self.peek().kind == Kind::OpenSquare {
            let arguments = self.numbers()?;
            self.expect(Kind::Arrow, "`->`")?;
            (None, [arguments, self.numbers()?])
        } else {
            let (source, columns) = self.columns_of_file()?;
            (Some(source), columns)
        };
        let at = self.since(start);
        let interpolation = match () {
            () if self.take_word("cubic") => Interpolation::Cubic,
            () => {
                self.take_word("linear");
                Interpolation::Linear
            }
        };
        let extended = self.take_word("extended");
        self.expect(Kind::End, "`linear` or `cubic`, `extended` or the end of the statement")?;
        let [arguments, values] = columns;
        let table =
            Table::new(&arguments, &values, interpolation).map_err(|error| match &source {
                Some(TableSource { path, .. }) => {
                    problem(ErrorKind::File, at.clone(), format!("`{path}`: {error}"))
                }
                None => problem(ErrorKind::Value, at.clone(), error.to_string()),
            })?;
        let table = Arc::new(if extended { table.extended() } else { table });
        let draft = &mut self.draft.tables[index];
        (draft.number, draft.source) = (self.builder.graph.add_table(table), source);
        Ok(())
    }

    /// `time -> force from "drive.csv"`
    fn columns_of_file(&mut self) -> Parsed<(TableSource, [Vec<f64>; 2])> {
        let start = self.peek().start;
        let arguments = self.column()?;
        self.expect(Kind::Arrow, "`->`")?;
        let values = self.column()?;
        if !self.take_word("from") {
            return Err(
                self.expected("`from` and the name of a file, such as `from \"drive.csv\"`")
            );
        }
        let path = self.expect(Kind::Quoted, "the name of a file in quotation marks")?;
        let path = self.text[path.start + 1..path.end - 1].to_string();
        let columns = self.files.table(&path, &arguments, &values);
        let columns = columns.map_err(|what| problem(ErrorKind::File, self.since(start), what))?;
        Ok((TableSource { path, columns: [arguments, values] }, columns))
    }

    /// Name of a column, as it is written.
    fn column(&mut self) -> Parsed<String> {
        let token = self.peek();
        let range = match token.kind {
            Kind::Name(_) => token.range(),
            Kind::Quoted => token.start + 1..token.end - 1,
            _ => return Err(self.expected("the name of a column, or a list of numbers")),
        };
        self.at += 1;
        Ok(self.text[range].to_string())
    }

    /// `[0, 1.5, -2]`
    fn numbers(&mut self) -> Parsed<Vec<f64>> {
        self.expect(Kind::OpenSquare, "`[` and numbers")?;
        let mut numbers = vec![];
        loop {
            let minus = self.take(Kind::Minus);
            let Kind::Number(number) = self.peek().kind else {
                return Err(self.expected("a number"));
            };
            self.at += 1;
            numbers.push(if minus { -number } else { number });
            if !self.take(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::CloseSquare, "`,` or `]`")?;
        Ok(numbers)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(self.at, word);
        self.at += usize::from(found);
        found
    }
}
