//! Pictures of nodes and edges.

mod layers;
mod order;
mod places;

use crate::canvas::{self, Area, CURVES, Drawn, INK, Pen, draw};
use crate::{Format, PlotError};
use layers::Layers;
use places::Places;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::f64::consts::TAU;

/// Directed graph without cycles, drawn in layers: every edge goes up.
///
/// Layers are the longest distances from the sources, which stand below their first use; the order in
/// a layer follows the means of the neighbours (barycentres), forth and back a few times. An edge
/// over several layers bends in each, and all edges of a node share their way.
///
/// Source: Sugiyama, Tagawa and Toda, IEEE Trans. Syst. Man Cybern. 11 (1981) 109,
/// DOI 10.1109/TSMC.1981.4308636.
///
/// ```
/// use hpfracc_plot::{Format, GraphEdge, GraphNode, NodeGraph, NodeShape};
///
/// let node = |label, shape| GraphNode { label, shape };
/// let nodes = [node("x", NodeShape::Box), node("sin", NodeShape::Ellipse)];
/// let edges = [GraphEdge { from: 0, to: 1, label: "" }];
/// let graph = NodeGraph { title: "sin(x)", nodes: &nodes, edges: &edges };
/// assert!(graph.draw(Format::Svg)?.starts_with(b"<svg"));
/// # Ok::<(), hpfracc_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NodeGraph<'a> {
    /// Title.
    pub title: &'a str,
    /// Nodes.
    pub nodes: &'a [GraphNode<'a>],
    /// Edges, each from a node to a later one.
    pub edges: &'a [GraphEdge<'a>],
}

/// Edge of a [`NodeGraph`].
#[derive(Debug, Clone, Copy)]
pub struct GraphEdge<'a> {
    /// Node at its start.
    pub from: usize,
    /// Node at its end.
    pub to: usize,
    /// Text at its end; may be empty.
    pub label: &'a str,
}

/// Node of a [`NodeGraph`].
#[derive(Debug, Clone, Copy)]
pub struct GraphNode<'a> {
    /// Text in the node.
    pub label: &'a str,
    /// Outline.
    pub shape: NodeShape,
}

/// Outline of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeShape {
    /// Rectangle.
    Box,
    /// Thick rectangle in colour.
    Bold,
    /// Ellipse.
    Ellipse,
    /// Text alone.
    Plain,
}

/// Most nodes of a picture, with the bends of edges.
const MOST: usize = 10_000;

const LETTERS: f64 = 14.0;
/// Font size of the labels of edges.
const SMALL: f64 = 10.0;
/// Height of a node, and space left and right of its text.
const NODE: f64 = 26.0;
const PADDING: f64 = 9.0;
/// Longest text of a node; longer ones are cut.
const LONGEST: f64 = 320.0;
/// Distance of layers, and space between the nodes of one.
const LAYER: f64 = 62.0;
const BETWEEN: f64 = 16.0;
const MARGIN: f64 = 24.0;
/// Height of the title.
const TITLE: f64 = 44.0;
const ARROW: f64 = 7.0;

impl NodeGraph<'_> {
    /// Draws the picture into memory; its size depends on the graph.
    ///
    /// # Errors
    /// [`PlotError::TooLarge`] for more than 10 000 nodes and bends, [`PlotError::Edge`] for an edge
    /// that does not go to a later node, [`PlotError::Drawing`] if the drawing library fails.
    pub fn draw(&self, format: Format) -> Result<Vec<u8>, PlotError> {
        let count = self.nodes.len();
        let pairs: Vec<(usize, usize)> =
            self.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        if let Some(&(from, to)) = pairs.iter().find(|(from, to)| from >= to || *to >= count) {
            return Err(PlotError::Edge { from, to, count });
        }
        let too_large = |found| PlotError::TooLarge { found, most: MOST };
        if count > MOST {
            return Err(too_large(count));
        }
        let mut layers = Layers::new(count, &pairs, MOST).ok_or_else(|| too_large(MOST + 1))?;
        order::improve(&mut layers);
        let pen = canvas::pen()?;
        let labels: Vec<String> = (self.nodes.iter())
            .map(|node| pen.fitting(node.label, LETTERS, pen.px(LONGEST)))
            .collect();
        let width =
            |label: &String| (pen.width(label, LETTERS) + pen.px(2.0 * PADDING)).max(pen.px(NODE));
        let widths: Vec<i32> = labels.iter().map(width).collect();
        let places = Places::new(&layers, &widths, pen.px(BETWEEN));
        let unit = f64::from(pen.px(1.0));
        let title = f64::from(pen.width(self.title, 21.0)) / unit;
        let wide = (f64::from(places.width) / unit).max(title) + 2.0 * MARGIN;
        let high = TITLE + LAYER * layers.rows.len() as f64 + MARGIN;
        draw(format, self.title, (wide.ceil() as u32, high.ceil() as u32), |area, pen| {
            let at = |item: usize| {
                let above = layers.rows.len() - 1 - layers.layer[item];
                let y = LAYER * (above as f64 + 0.5);
                (places.x[item] + pen.px(MARGIN), pen.px(y))
            };
            for edge in self.edges {
                let way = layers.way(edge.from, edge.to).map(at);
                draw_edge((edge.label, way.collect()), area, pen)?;
            }
            let nodes = self.nodes.iter().zip(labels.iter().zip(&widths));
            nodes.enumerate().try_for_each(|(k, (node, (label, width)))| {
                draw_node((node.shape, label, *width), at(k), area, pen)
            })
        })
    }
}

/// Draws an edge through these points with an arrow and its label at its end.
fn draw_edge((label, mut points): (&str, Vec<(i32, i32)>), area: &Area<'_>, pen: &Pen) -> Drawn {
    let half = pen.px(NODE / 2.0);
    if let Some(first) = points.first_mut() {
        first.1 -= half;
    }
    let Some(last) = points.last_mut() else { return Ok(()) };
    last.1 += half;
    let (end, before) = (*last, points[points.len().saturating_sub(2)]);
    let color = INK.mix(0.6);
    area.draw(&PathElement::new(points, color.stroke_width(pen.px(1.0) as u32)))?;
    let (dx, dy) = (f64::from(end.0 - before.0), f64::from(end.1 - before.1));
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    // A point before the end, and to the right of the edge.
    let back = |along: f64, across: f64| {
        let (x, y) = (along * ux - across * uy, along * uy + across * ux);
        (end.0 - pen.px(x), end.1 - pen.px(y))
    };
    let arrow = vec![end, back(ARROW, 0.4 * ARROW), back(ARROW, -0.4 * ARROW)];
    area.draw(&Polygon::new(arrow, color.filled()))?;
    let style = pen.font(SMALL).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw_text(label, &style, back(2.4 * ARROW, ARROW))
}

fn draw_node(
    (shape, label, width): (NodeShape, &str, i32),
    (x, y): (i32, i32),
    area: &Area<'_>,
    pen: &Pen,
) -> Drawn {
    let (a, b) = (width / 2, pen.px(NODE / 2.0));
    let corners = vec![(x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)];
    let (outline, line) = match shape {
        NodeShape::Box => (corners, pen.line(INK, 1.0)),
        NodeShape::Bold => (corners, pen.line(CURVES[0], 2.0)),
        NodeShape::Ellipse => {
            let point = |k: u32| {
                let (sin, cos) = (TAU * f64::from(k) / 32.0).sin_cos();
                (x + (f64::from(a) * cos).round() as i32, y + (f64::from(b) * sin).round() as i32)
            };
            ((0..32).map(point).collect(), pen.line(INK, 1.0))
        }
        NodeShape::Plain => (corners, WHITE.filled()),
    };
    area.draw(&Polygon::new(outline.clone(), WHITE.filled()))?;
    if shape != NodeShape::Plain {
        let closed = outline.iter().chain(&outline[..1]).copied().collect::<Vec<_>>();
        area.draw(&PathElement::new(closed, line))?;
    }
    let style = pen.font(LETTERS).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw_text(label, &style, (x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(labels: &'static [&'static str]) -> Vec<GraphNode<'static>> {
        labels.iter().map(|label| GraphNode { label, shape: NodeShape::Ellipse }).collect()
    }

    fn edge((from, to): (usize, usize)) -> GraphEdge<'static> {
        GraphEdge { from, to, label: if to == 3 { "place" } else { "" } }
    }

    #[test]
    fn every_node_and_edge_is_drawn() {
        let nodes = nodes(&["x", "y", "sum", "product", "result"]);
        let edges = [(0, 2), (1, 2), (0, 3), (2, 3), (3, 4), (0, 4)].map(edge);
        let graph = NodeGraph { title: "t", nodes: &nodes, edges: &edges };
        let svg = String::from_utf8(graph.draw(Format::Svg).unwrap()).unwrap();
        for node in &nodes {
            assert_eq!(svg.matches(&format!("aria-label=\"{}\"", node.label)).count(), 1);
        }
        assert_eq!(svg.matches("aria-label=\"place\"").count(), 2);
        // A line and an arrow for each edge, an area and a line for each node.
        assert_eq!(svg.matches("<polyline").count(), edges.len() + nodes.len());
        assert_eq!(svg.matches("<polygon").count(), edges.len() + nodes.len());
        assert!(graph.draw(Format::Png).is_ok());
    }

    #[test]
    fn wrong_edges_and_large_graphs_are_refused() {
        let few = nodes(&["x", "y"]);
        for wrong in [(1, 0), (1, 1), (0, 2)] {
            let edges = [edge(wrong)];
            let graph = NodeGraph { title: "", nodes: &few, edges: &edges };
            assert!(matches!(graph.draw(Format::Svg), Err(PlotError::Edge { .. })), "{wrong:?}");
        }
        let many = vec![few[0]; MOST + 1];
        let graph = NodeGraph { title: "", nodes: &many, edges: &[] };
        assert!(matches!(graph.draw(Format::Svg), Err(PlotError::TooLarge { .. })));
        // Few nodes, but more bends than a picture has.
        let ladder: Vec<GraphEdge<'_>> = (0..600)
            .flat_map(|k| [(k, k + 1), (k, 1200 - k)])
            .chain((600..1199).map(|k| (k, k + 1)))
            .filter(|(from, to)| from < to)
            .map(edge)
            .collect();
        let graph = NodeGraph { title: "", nodes: &many[..1201], edges: &ladder };
        assert!(matches!(graph.draw(Format::Svg), Err(PlotError::TooLarge { .. })));
        let none = NodeGraph { title: "", nodes: &[], edges: &[] };
        assert!(none.draw(Format::Svg).is_ok());
    }
}
