//! scratch
use hpfracc_special::*;
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    for l in s.lines() {
        let v: Vec<f64> = l.split(',').map(|x| x.parse().unwrap()).collect();
        if std::env::args().count() > 2 {
            println!("{:e}", wright(v[0], v[1], v[2]).unwrap_or(f64::NAN));
            continue;
        }
        if std::env::args().count() > 1 {
            let e = prabhakar_complex(v[0], v[1], v[2], Complex64::new(v[3], v[4])).unwrap();
            println!("{:e},{:e}", e.re, e.im);
            continue;
        }
        let f = MittagLeffler::new(v[0], v[1]).unwrap();
        let e = f.derivative_complex(Complex64::new(v[3], v[4]), v[2] as usize);
        println!("{:e},{:e}", e.re, e.im);
    }
}
