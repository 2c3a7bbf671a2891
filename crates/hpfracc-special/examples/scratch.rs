//! scratch
use hpfracc_special::*;
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let mut o = String::new();
    for l in s.lines() {
        let v: Vec<f64> = l.split(',').map(|x| x.parse().unwrap()).collect();
        let f = MittagLeffler::new(v[0], v[1]).unwrap();
        let mut e = f.eval_complex(Complex64::new(v[2], v[3]));
        if std::env::var("SLICE").is_ok() && v[3] == 0.0 {
            let mut w = [0.0];
            f.eval_slice(&[v[2]], &mut w).unwrap();
            e.re = w[0];
        }
        o += &format!("{:e},{:e}\n", e.re, e.im);
    }
    print!("{o}");
}
