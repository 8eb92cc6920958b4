//! Lines that say what starts by itself: of units of services, and of tables of times.

/// The command of a line of a unit: behind `ExecStart=`.
pub fn of_unit(line: &str) -> Option<&str> {
    let (key, command) = line.trim().split_once('=')?;
    let is_key = key.strip_prefix("Exec").is_some_and(|rest| rest.is_empty() || rest.chars().all(char::is_alphabetic));
    is_key.then(|| command.trim_start_matches(['-', '@', '+', '!', ':']))
}

/// The command of a line of a table of times: `0 3 * * * command`, `@daily command`.
pub fn of_schedule(line: &str) -> Option<&str> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix('@') {
        return rest.split_once(char::is_whitespace).map(|(_, command)| command.trim_start());
    }
    let mut rest = line;
    for _ in 0..5 {
        let (time, after) = rest.split_once(char::is_whitespace)?;
        let is_time = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit() || b"*/,-".contains(&byte));
        rest = is_time.then_some(after.trim_start())?;
    }
    Some(rest)
}
