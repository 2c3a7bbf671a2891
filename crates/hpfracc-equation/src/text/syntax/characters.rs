/// Name of a Greek letter.
pub(crate) fn greek(c: char) -> Option<&'static str> {
    const SMALL: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
        "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon",
        "phi", "chi", "psi", "omega",
    ];
    const CAPITAL: [&str; 25] = [
        "Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa",
        "Lambda", "Mu", "Nu", "Xi", "Omicron", "Pi", "Rho", "", "Sigma", "Tau", "Upsilon", "Phi",
        "Chi", "Psi", "Omega",
    ];
    match c {
        'α'..='ω' => SMALL.get(c as usize - 'α' as usize).copied(),
        'Α'..='Ω' => CAPITAL.get(c as usize - 'Α' as usize).copied(),
        'ϵ' => Some("epsilon"),
        'ϑ' => Some("theta"),
        'ϕ' => Some("phi"),
        'µ' => Some("mu"),
        _ => None,
    }
}

/// Digit or minus sign that a superscript character means.
pub(crate) fn superscript(c: char) -> Option<char> {
    match c {
        '²' => Some('2'),
        '³' => Some('3'),
        '¹' => Some('1'),
        '⁰' | '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10),
        '⁻' => Some('-'),
        _ => None,
    }
}

/// Digit that a subscript character means.
pub(crate) fn subscript(c: char) -> Option<char> {
    matches!(c, '₀'..='₉').then(|| char::from_digit(c as u32 - '₀' as u32, 10)).flatten()
}

/// Latin letter that a letter of another script looks like.
pub(crate) fn lookalike(c: char) -> Option<char> {
    const CYRILLIC: &str = "аеорсхуіјѕАВЕКМНОРСТХІЈЅ";
    const LATIN: &str = "aeopcxyijsABEKMHOPCTXIJS";
    CYRILLIC.chars().zip(LATIN.chars()).find(|(other, _)| *other == c).map(|(_, latin)| latin)
}
