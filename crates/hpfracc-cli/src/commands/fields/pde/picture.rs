//! Pictures of fields: time against space, maps at several times, animations.

use super::solving::Frames;
use super::statement::Statement;
use crate::Error;
use crate::text::rounded;
use hpfracc::equation::{OrderTerm, Orders};
use hpfracc::types::shortest;
use hpfracc_plot::{
    Animation, Axis, Curve, Format, HeatMap, HeatMaps, MapFrame, Profile, Profiles,
};
use std::time::Duration;

/// Most maps of one picture.
const MOST_MAPS: usize = 12;
/// Time of a frame of an animation.
const DELAY: Duration = Duration::from_millis(80);

/// Refuses pictures in three dimensions.
pub(super) fn require_dimensions(statement: &Statement, option: &'static str) -> Result<(), Error> {
    if statement.place.dimensions() < 3 {
        return Ok(());
    }
    let reason = "a picture of a field has one or two dimensions".to_owned();
    Err(Error::OptionUnused { option, value: String::new(), reason })
}

fn title(statement: &Statement) -> String {
    let text = statement.problem.text();
    let number = |id| shortest(text.values(&[id])[0]);
    let of_term = |term: &OrderTerm| match term.orders {
        Orders::Single(order) => number(order),
        Orders::Variable(order) => text.expression(order),
        Orders::Distributed { from, to, .. } => format!("{} to {}", number(from), number(to)),
    };
    let of_field = |field: usize| -> String {
        let terms: Vec<String> = text.time_derivative(field).iter().map(of_term).collect();
        terms.join(" and ")
    };
    let mut orders: Vec<String> = (0..text.fields().len()).map(of_field).collect();
    orders.dedup();
    format!("{}, order {} in time", statement.name, orders.join(", "))
}

/// Field of the pictures at each time.
fn rows(statement: &Statement, frames: &Frames, field: usize) -> Vec<Vec<f64>> {
    let n = statement.place.n();
    let row = |state: &Vec<f64>| statement.place.whole(&state[field * n..(field + 1) * n]);
    frames.states.iter().map(row).collect()
}

/// Values with y as the row, as pictures have them.
fn by_rows(statement: &Statement, values: &[f64]) -> Vec<f64> {
    let shape = statement.place.shape();
    let (nx, ny) = (shape[0], shape[1]);
    (0..nx * ny).map(|k| values[k % nx * ny + k / nx]).collect()
}

pub(super) fn draw(
    statement: &Statement,
    frames: &Frames,
    field: usize,
    format: Format,
) -> Result<Vec<u8>, Error> {
    require_dimensions(statement, "--plot")?;
    let (title, name) = (title(statement), statement.fields()[field]);
    let axes = statement.place.axes();
    let rows = rows(statement, frames, field);
    if let [(label, xs)] = &axes[..] {
        let values = rows.concat();
        let map = HeatMap {
            title: &title,
            x: Axis::linear(label),
            y: Axis::linear("t"),
            name,
            xs,
            ys: &frames.times,
            values: &values,
        };
        return Ok(map.draw(format)?);
    }
    // Not more maps than fit on a page, the first and the last among them.
    let count = rows.len().min(MOST_MAPS);
    let last = rows.len() - 1;
    let chosen: Vec<usize> =
        (0..count).map(|k| if count > 1 { k * last / (count - 1) } else { 0 }).collect();
    let captions: Vec<String> =
        chosen.iter().map(|k| format!("t = {}", rounded(frames.times[*k]))).collect();
    let values: Vec<Vec<f64>> = chosen.iter().map(|k| by_rows(statement, &rows[*k])).collect();
    let maps: Vec<MapFrame<'_>> = (captions.iter().zip(&values))
        .map(|(caption, values)| MapFrame { caption, values })
        .collect();
    Ok(maps_of(&axes, (&title, name), &maps).draw(format)?)
}

fn maps_of<'a>(
    axes: &'a [(&'static str, Vec<f64>)],
    (title, name): (&'a str, &'a str),
    frames: &'a [MapFrame<'a>],
) -> HeatMaps<'a> {
    HeatMaps {
        title,
        x: Axis::linear("x"),
        y: Axis::linear("y"),
        name,
        xs: &axes[0].1,
        ys: &axes[1].1,
        frames,
    }
}

pub(super) fn animate(
    statement: &Statement,
    frames: &Frames,
    field: usize,
) -> Result<Vec<u8>, Error> {
    let (title, name) = (title(statement), statement.fields()[field]);
    let captions: Vec<String> =
        frames.times.iter().map(|t| format!("t = {}", rounded(*t))).collect();
    let rows = rows(statement, frames, field);
    let axes = statement.place.axes();
    if let [(label, x)] = &axes[..] {
        let curves: Vec<[Curve<'_>; 1]> =
            rows.iter().map(|row| [Curve::line(name, x, row, 0)]).collect();
        let profiles: Vec<Profile<'_>> = (captions.iter().zip(&curves))
            .map(|(caption, curves)| Profile { caption, curves })
            .collect();
        let (x, y) = (Axis::linear(label), Axis::linear(name));
        let animation = Animation::Profiles(Profiles { title: &title, x, y, frames: &profiles });
        return Ok(animation.encode(DELAY)?);
    }
    let values: Vec<Vec<f64>> = rows.iter().map(|row| by_rows(statement, row)).collect();
    let maps: Vec<MapFrame<'_>> = (captions.iter().zip(&values))
        .map(|(caption, values)| MapFrame { caption, values })
        .collect();
    Ok(Animation::Maps(maps_of(&axes, (&title, name), &maps)).encode(DELAY)?)
}
