//! What coefficients say of themselves, which schemes believe, against what they do.

use hpfracc_sde::SdeError;
use hpfracc_sde::models::{
    BrownianMotion, CaputoOrnsteinUhlenbeck, ColouredNoise, CompoundPoissonProcess,
    CoxIngersollRoss, FractionalBrownianMotion, FractionalLangevin, FractionalOrnsteinUhlenbeck,
    GeometricBrownian, InertialLangevin, Model, Named, OrnsteinUhlenbeck,
    RiemannLiouvilleBrownianMotion, RoughBergomi, RoughHeston, StableLevyMotion,
};
use hpfracc_sde::noise::CorrelatedBrownian;
use hpfracc_sde::{
    Ensemble, Milstein, Moments, NoiseKind, Sric2, Sriw1, StochasticScheme, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};
use ndarray::array;

/// Noises of their own commute if no g_i changes with another component, and are additive where it
/// changes with none.
fn says_what_it_does<M: Model + Default>() {
    let problem = M::default().problem::<f64>((0.0, 1.0)).unwrap();
    let system: &dyn StochasticSystem<f64> = problem.system();
    let dim = system.dim();
    let name = M::DEFINITION.name;
    let diffusion = |x: &[f64]| {
        let mut g = vec![0.0; system.noise_kind().rows(dim)];
        system.diffusion(0.5, Rows::new(x, 1), RowsMut::new(&mut g, 1));
        g
    };
    let start = vec![0.3; dim];
    let before = diffusion(&start);
    let changes = |i: usize, j: usize| {
        let mut x = start.clone();
        x[j] += 0.1;
        diffusion(&x)[i] != before[i]
    };
    let all = || (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j)));
    assert_eq!(system.additive(), !all().any(|(i, j)| changes(i, j)), "{name}");
    if system.noise_kind() == NoiseKind::Diagonal {
        let crossed = all().any(|(i, j)| i != j && changes(i, j));
        assert_eq!(system.commutative(), !crossed, "{name}");
        for i in 0..dim {
            assert_eq!(system.additive_in(i), !(0..dim).any(|j| changes(i, j)), "{name}, {i}");
        }
    }
}

/// Checks each of the models, and returns their names.
macro_rules! checked {
    ($($model:ty),+ $(,)?) => {
        [$({
            says_what_it_does::<$model>();
            <$model>::DEFINITION.name
        }),+]
    };
}

#[test]
fn models_say_what_they_do() {
    let mut checked = checked![
        OrnsteinUhlenbeck,
        FractionalOrnsteinUhlenbeck,
        CaputoOrnsteinUhlenbeck,
        GeometricBrownian,
        CoxIngersollRoss,
        FractionalLangevin,
        InertialLangevin,
        RoughBergomi,
        RoughHeston,
        BrownianMotion,
        FractionalBrownianMotion,
        RiemannLiouvilleBrownianMotion,
        ColouredNoise,
        CompoundPoissonProcess,
        StableLevyMotion,
    ];
    let mut all = Named::all().map(|model| model.definition().name);
    checked.sort_unstable();
    all.sort_unstable();
    assert_eq!(checked, all);
}

/// Schemes that would need Levy areas refuse a price whose volatility is another component.
#[test]
fn stochastic_volatility_needs_levy_areas() {
    fn refused(model: impl Model, scheme: &impl StochasticScheme<f64>) {
        let problem = model.problem::<f64>((0.0, 1.0)).unwrap().of_orders(&[1.0]).unwrap();
        let noise = CorrelatedBrownian::new(1, array![[1.0, 0.5], [0.5, 1.0]].view()).unwrap();
        let ensemble = Ensemble::new(16, 4).unwrap();
        let error = ensemble.solve(&problem, scheme, &noise, &Moments).unwrap_err();
        let SdeError::NotTaken { reason, .. } = error else { panic!("{error}") };
        assert!(reason.contains("does not commute"), "{reason}");
    }
    refused(RoughHeston::default(), &Milstein);
    refused(RoughHeston::default(), &Sric2);
    refused(RoughHeston::default(), &Sriw1);
    refused(RoughBergomi::default(), &Milstein);
    refused(RoughBergomi::default(), &Sric2);
}
