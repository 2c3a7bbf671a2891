use std::io;
use std::time::Duration;
use thiserror::Error;

/// Error of a picture, a table or a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlotError {
    /// Unknown picture format.
    #[error("{path}: the name must end in .svg or .png")]
    Format {
        /// The file.
        path: String,
    },
    /// Error of the drawing library.
    #[error("cannot draw the picture: {reason}")]
    Drawing {
        /// Message of the drawing library.
        reason: String,
    },
    /// Column of another length than the first one.
    #[error("column `{column}` has {found} values, column `{first}` has {expected}")]
    Length {
        /// Name of the column.
        column: String,
        /// Number of its values.
        found: usize,
        /// Name of the first column.
        first: String,
        /// Number of values of the first column.
        expected: usize,
    },
    /// I/O error while writing a file.
    #[error("cannot write {name}: {source}")]
    Write {
        /// The file.
        name: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// Edge of a graph that does not go to a later node.
    #[error("an edge goes from node {from} to node {to} of {count}, expected a later node")]
    Edge {
        /// Node at its start.
        from: usize,
        /// Node at its end.
        to: usize,
        /// Number of nodes.
        count: usize,
    },
    /// Graph with more nodes and bends of edges than a picture has.
    #[error("the graph has {found} nodes and bends of edges or more, a picture at most {most}")]
    TooLarge {
        /// Number of nodes, or of those that were counted.
        found: usize,
        /// Largest number.
        most: usize,
    },
    /// Map with another number of values than cells.
    #[error(
        "{name} has {found} values, expected {columns} x {rows}, one for each column of each row"
    )]
    Cells {
        /// Name of the coloured quantity.
        name: String,
        /// Number of its values.
        found: usize,
        /// Number of columns.
        columns: usize,
        /// Number of rows.
        rows: usize,
    },
    /// Position of a column or a row of a map that is not finite or not in order.
    #[error(
        "axis `{axis}`: position {index} is {value}, expected finite positions in increasing or decreasing order"
    )]
    Position {
        /// Name of the axis.
        axis: String,
        /// Index of the position.
        index: usize,
        /// The position.
        value: f64,
    },
    /// More maps than a picture has.
    #[error("there are {found} maps, a picture has at most {most}; draw fewer of them")]
    TooManyMaps {
        /// Number of maps.
        found: usize,
        /// Largest number.
        most: usize,
    },
    /// Time between two frames of an animation that its file cannot have.
    #[error("the delay between frames is {found:?}, expected 1 ms to 65.535 s")]
    Delay {
        /// The delay.
        found: Duration,
    },
    /// Result without values.
    #[error("{reason}")]
    Empty {
        /// What is missing, and what to do.
        reason: String,
    },
}
