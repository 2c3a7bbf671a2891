//! Ready equations of fields as text.

/// Ready equation of fields.
///
/// ```
/// use hpfracc_pde::catalogue;
///
/// let entry = catalogue::named("fisher-kpp").unwrap();
/// assert!(entry.equation(2).is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Name.
    pub name: &'static str,
    /// What it describes.
    pub title: &'static str,
    /// Equations and parameters, without a start.
    pub text: &'static str,
    /// Starts in one dimension, and in more.
    pub starts: [&'static str; 2],
    /// Largest number of dimensions.
    pub dimensions: usize,
}

const BUMP: [&str; 2] =
    ["u(0) = exp(-((x - 0.5)/0.1)^2)", "u(0) = exp(-((x - 0.5)^2 + (y - 0.5)^2)/0.01)"];

/// All entries. Starts suit boxes of length 1, and those of `gray-scott` and `burgers` the ones that
/// the title names.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "diffusion",
        title: "Subdiffusion (order below 1) or diffusion waves (above 1, with a velocity u'(0))",
        text: "D^alpha u = kappa lap(u); alpha = 0.6 in (0, 2); kappa = 0.1 in (0, inf)",
        starts: BUMP,
        dimensions: 3,
    },
    Entry {
        name: "space-time-diffusion",
        title: "Diffusion with memory (alpha) and long jumps (s), spectral definition",
        text: "D^alpha u = kappa lap^s(u)
               alpha = 0.8 in (0, 1]; s = 0.7 in (0, 1]; kappa = 0.05 in (0, inf)",
        starts: BUMP,
        dimensions: 3,
    },
    Entry {
        name: "mobile-immobile",
        title: "Particles of which a part waits in traps (alpha): diffusion at first, subdiffusion at the end",
        text: "D u + beta D^alpha u = kappa lap(u)
               alpha = 0.5 in (0, 1); beta = 1 in (0, inf); kappa = 0.1 in (0, inf)",
        starts: BUMP,
        dimensions: 3,
    },
    Entry {
        name: "ultraslow",
        title: "Diffusion of distributed order, widths that grow as a logarithm of time if low is 0",
        text: "int(D^a u, a in [low, 1]) = kappa lap(u); low = 0 in [0, 1); kappa = 0.1 in (0, inf)",
        starts: BUMP,
        dimensions: 3,
    },
    Entry {
        name: "cattaneo",
        title: "Waves that become subdiffusion: the fractional telegraph equation, with a velocity u'(0)",
        text: "tau^alpha D^(2 alpha) u + D^alpha u = kappa lap(u)
               alpha = 0.8 in (0.5, 1]; tau = 1 in (0, inf); kappa = 0.1 in (0, inf)",
        starts: [
            "u(0) = exp(-((x - 0.5)/0.1)^2); u'(0) = 0",
            "u(0) = exp(-((x - 0.5)^2 + (y - 0.5)^2)/0.01); u'(0) = 0",
        ],
        dimensions: 3,
    },
    Entry {
        name: "advection-diffusion",
        title: "Diffusion in a stream of velocity v",
        text: "D^alpha u = kappa lap(u) - v grad_x(u)
               alpha = 0.8 in (0, 1]; kappa = 0.02 in (0, inf); v = 0.3",
        starts: BUMP,
        dimensions: 3,
    },
    Entry {
        name: "fokker-planck",
        title: "Density of a particle with memory in the potential k (x - m)^2 / 2",
        text: "D^alpha u = kappa lap(u) + div(k (x - m) u)
               alpha = 0.8 in (0, 1]; kappa = 0.02 in (0, inf); k = 1; m = 0.5",
        starts: ["u(0) = exp(-((x - 0.3)/0.1)^2)/(0.1 sqrt(pi))", ""],
        dimensions: 1,
    },
    Entry {
        name: "fisher-kpp",
        title: "Front of a growing population with memory",
        text: "D^alpha u = kappa lap(u) + r u (1 - u)
               alpha = 0.8 in (0, 1]; kappa = 0.001 in (0, inf); r = 5",
        starts: ["u(0) = exp(-(x/0.05)^2)", "u(0) = exp(-((x - 0.5)^2 + (y - 0.5)^2)/0.0025)"],
        dimensions: 3,
    },
    Entry {
        name: "allen-cahn",
        title: "Two phases that coarsen, with memory",
        text: "D^alpha u = epsilon^2 lap(u) + u - u^3; alpha = 0.8 in (0, 1]; epsilon = 0.05",
        starts: [
            "u(0) = 0.5 sin(6 pi x) + 0.3 cos(2 pi x)",
            "u(0) = 0.5 sin(6 pi x) cos(4 pi y) + 0.3 cos(2 pi (x + y))",
        ],
        dimensions: 3,
    },
    Entry {
        name: "cahn-hilliard",
        title: "Two phases that separate, mass conserved, with memory",
        text: "D^alpha u = -epsilon^2 (-lap)^2(u) + lap(u^3 - u)
               alpha = 0.8 in (0, 1]; epsilon = 0.05",
        starts: [
            "u(0) = 0.2 sin(6 pi x) + 0.1 cos(4 pi x)",
            "u(0) = 0.2 sin(6 pi x) cos(4 pi y) + 0.1 cos(4 pi x)",
        ],
        dimensions: 3,
    },
    Entry {
        name: "burgers",
        title: "Viscous Burgers equation with memory, a shock that smooths",
        text: "D^alpha u = nu lap(u) - div(u^2/2); alpha = 0.9 in (0, 1]; nu = 0.01 in (0, inf)",
        starts: ["u(0) = sin(2 pi x)", ""],
        dimensions: 1,
    },
    Entry {
        name: "porous-medium",
        title: "Gas in a porous medium with memory",
        text: "D^alpha u = lap(u^m); alpha = 0.8 in (0, 1]; m = 2 in [1, 8]",
        starts: [
            "u(0) = max(0, 1 - ((x - 0.5)/0.2)^2)",
            "u(0) = max(0, 1 - ((x - 0.5)^2 + (y - 0.5)^2)/0.04)",
        ],
        dimensions: 3,
    },
    Entry {
        name: "gray-scott",
        title: "Patterns of two substances, with memory (alpha) and long jumps (s); boxes of length 1",
        text: "D^alpha u = 2e-5 lap^s(u) - u v^2 + F (1 - u)
               D^alpha v = 1e-5 lap^s(v) + u v^2 - (F + k) v
               alpha = 1 in (0, 1]; s = 1 in (0, 1]; F = 0.037; k = 0.06",
        starts: [
            "u(0) = 1 - 0.5 exp(-((x - 0.5)/0.05)^2); v(0) = 0.25 exp(-((x - 0.5)/0.05)^2)",
            "_b = exp(-((x - 0.5)^2 + (y - 0.45)^2)/0.003) + exp(-((x - 0.4)^2 + (y - 0.6)^2)/0.002)
             u(0) = 1 - 0.5 min(1, _b); v(0) = 0.25 min(1, _b)",
        ],
        dimensions: 3,
    },
];

/// Entry of a name.
pub fn named(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

impl Entry {
    /// Text with the start for a number of dimensions; None if it has no such form.
    pub fn text_with_start(&self, dimensions: usize) -> Option<String> {
        let start = self.starts[usize::from(dimensions > 1)];
        (1..=self.dimensions).contains(&dimensions).then(|| format!("{}; {start}", self.text))
    }

    /// The equation over x, y, z with the start.
    ///
    /// # Errors
    /// [`Text`](crate::PdeError::Text) for another number of dimensions.
    pub fn equation(
        &self,
        dimensions: usize,
    ) -> Result<hpfracc_equation::FieldEquation, crate::PdeError> {
        let refused = |reason| crate::PdeError::Text { reason };
        let text = self.text_with_start(dimensions).ok_or_else(|| {
            refused(format!("{} has no form in {dimensions} dimensions", self.name))
        })?;
        let names = &["x", "y", "z"][..dimensions];
        hpfracc_equation::FieldEquation::parse(&text, names)
            .map_err(|error| refused(error.to_string()))
    }
}
