/// The times t0, breaks, t1, and distances that keep their relative precision next to each of them.
///
/// Elements next to a break are far shorter than the rounding of a time. A place is therefore the
/// segment between two of these times and the distance from the segment's origin.
#[derive(Debug, Clone)]
pub(super) struct Mesh {
    /// t0, breaks, t1.
    pub(super) origins: Vec<f64>,
}

/// A part of a segment, by distances from the segment's origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) segment: usize,
    pub(super) left: f64,
    pub(super) right: f64,
}

/// A point, `base + offset` from its segment's origin. `base` is an end of a span, so that the
/// distance to that span is the offset, without a rounding.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeshPoint {
    pub(super) segment: usize,
    pub(super) base: f64,
    pub(super) offset: f64,
}

impl Span {
    pub(super) fn length(&self) -> f64 {
        self.right - self.left
    }

    /// True where the integral over the span ends at the place, and not at the span's end.
    pub(super) fn contains(&self, place: MeshPoint) -> bool {
        self.segment == place.segment && place.past_origin() <= self.right
    }

    /// True if the span has no part before the place.
    pub(super) fn is_after(&self, place: MeshPoint) -> bool {
        self.segment > place.segment
            || (self.segment == place.segment && place.past_origin() <= self.left)
    }
}

impl MeshPoint {
    pub(super) fn past_origin(self) -> f64 {
        self.base + self.offset
    }
}

impl Mesh {
    /// Number of segments.
    pub(super) fn segments(&self) -> usize {
        self.origins.len() - 1
    }

    pub(super) fn length(&self, segment: usize) -> f64 {
        self.origins[segment + 1] - self.origins[segment]
    }

    /// Place of a time; a break is the last point of the segment before it.
    pub(super) fn place(&self, t: f64) -> MeshPoint {
        let inner = &self.origins[1..self.segments()];
        let segment = inner.partition_point(|&origin| origin < t);
        MeshPoint { segment, base: 0.0, offset: t - self.origins[segment] }
    }

    /// The time of a place, rounded.
    pub(super) fn time(&self, place: MeshPoint) -> f64 {
        let past_origin = place.past_origin();
        if past_origin == self.length(place.segment) {
            self.origins[place.segment + 1]
        } else {
            self.origins[place.segment] + past_origin
        }
    }

    /// Time of a place for an evaluation of f: never a break itself, where f may have two values.
    pub(super) fn time_inside(&self, place: MeshPoint) -> f64 {
        let mut t = self.time(place);
        if place.segment > 0 {
            t = t.max(self.origins[place.segment].next_up());
        }
        if place.segment + 1 < self.segments() {
            t = t.min(self.origins[place.segment + 1].next_down());
        }
        t
    }

    /// `t - t0`.
    pub(super) fn elapsed(&self, place: MeshPoint) -> f64 {
        (self.origins[place.segment] - self.origins[0]) + place.past_origin()
    }

    /// From the right end of a span to a place after it.
    pub(super) fn distance(&self, span: &Span, place: MeshPoint) -> f64 {
        if span.segment == place.segment {
            (place.base - span.right) + place.offset
        } else {
            let between = self.origins[place.segment] - self.origins[span.segment + 1];
            between + (self.length(span.segment) - span.right) + place.past_origin()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_next_to_a_break_keep_their_digits() {
        let mesh = Mesh { origins: vec![0.0, 1.0, 3.0] };
        let span = Span { segment: 0, left: 0.25, right: 1.0 };
        let near = MeshPoint { segment: 1, base: 1e-30, offset: 1e-50 };
        assert_eq!(mesh.distance(&span, near), 1e-30);
        assert_eq!(mesh.time(near), 1.0);
        assert_eq!(mesh.time_inside(near), 1.0f64.next_up());
        let end = MeshPoint { segment: 0, base: 0.5, offset: 0.5 };
        assert_eq!(mesh.time_inside(end), 1.0f64.next_down());
        let span = Span { segment: 1, left: 0.0, right: 1e-30 };
        assert_eq!(mesh.distance(&span, near), 1e-50);
    }

    #[test]
    fn a_break_belongs_to_the_segment_before_it() {
        let mesh = Mesh { origins: vec![0.0, 1.0, 3.0] };
        for (t, segment) in [(0.0, 0), (1.0, 0), (1.5, 1), (3.0, 1)] {
            assert_eq!(mesh.place(t).segment, segment, "{t}");
            assert_eq!(mesh.time(mesh.place(t)), t);
        }
    }
}
