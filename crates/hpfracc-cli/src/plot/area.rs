//! Types of the drawing library that all pictures use.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::io;

/// Part of a picture to draw on.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Result of drawing.
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;
