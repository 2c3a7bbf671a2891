// Made by xtask/references/normal_tail.py; do not edit.
//
// exp(z^2) erfc(z) / t, z >= 0, for u = 2 t - 1, t = 1 / (1 + z/2), relative error within 1.2e-17.
fn tail_polynomial(u: value) -> value {
    var p = value(-3.98636294277478e-10lf);
    p = fma(p, u, value(1.2098746244203231e-09lf));
    p = fma(p, u, value(1.6323398807169344e-09lf));
    p = fma(p, u, value(-9.775556667111567e-09lf));
    p = fma(p, u, value(5.140345918956905e-09lf));
    p = fma(p, u, value(2.9131155308487508e-08lf));
    p = fma(p, u, value(-5.546587044211434e-08lf));
    p = fma(p, u, value(-1.848669368762183e-09lf));
    p = fma(p, u, value(1.6246994987174998e-07lf));
    p = fma(p, u, value(-2.853844774555098e-07lf));
    p = fma(p, u, value(-1.157247380519068e-09lf));
    p = fma(p, u, value(1.0007982351303053e-06lf));
    p = fma(p, u, value(-1.8218361427008817e-06lf));
    p = fma(p, u, value(-5.627559192378118e-07lf));
    p = fma(p, u, value(8.060426963858187e-06lf));
    p = fma(p, u, value(-1.084807828833205e-05lf));
    p = fma(p, u, value(-1.7074435930768933e-05lf));
    p = fma(p, u, value(7.223535548997429e-05lf));
    p = fma(p, u, value(-1.718572067691969e-05lf));
    p = fma(p, u, value(-0.0003315367483461889lf));
    p = fma(p, u, value(0.00041864803150011776lf));
    p = fma(p, u, value(0.0015453060291222003lf));
    p = fma(p, u, value(-0.003239592533879013lf));
    p = fma(p, u, value(-0.010755330944719348lf));
    p = fma(p, u, value(0.0182211157534395lf));
    p = fma(p, u, value(0.13973604627802694lf));
    p = fma(p, u, value(0.3435803422069053lf));
    p = fma(p, u, value(0.5107913526210115lf));
    return p;
}
