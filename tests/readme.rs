//! What the README shows is what callgate prints.

#[test]
fn the_readme_shows_real_output() {
    trycmd::TestCases::new().env("NO_COLOR", "1").case("README.md");
}
