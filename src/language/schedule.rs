//! Lines that say what starts by itself: of units of services, and of tables of times.

/// The command of a line of a unit: behind `ExecStart=`.
pub fn of_unit(line: &str) -> Option<&str> {
    let (key, command) = line.trim().split_once('=')?;
    let is_key = key.strip_prefix("Exec").is_some_and(|rest| rest.is_empty() || rest.chars().all(char::is_alphabetic));
    is_key.then(|| command.trim_start_matches(['-', '@', '+', '!', ':']))
}

/// The command that a property list of launchd starts: the texts of its `ProgramArguments`, or its `Program`.
pub fn of_plist(text: &str) -> Option<String> {
    let behind = |key: &str| text.split_once(&format!("<key>{key}</key>")).map(|(_, behind)| behind.trim_start());
    let strings = |text: &str| -> Vec<String> {
        let parts = text.split("<string>").skip(1).filter_map(|part| part.split_once("</string>"));
        parts.map(|(own, _)| own.trim().to_owned()).collect()
    };
    let arguments = behind("ProgramArguments").and_then(|behind| behind.strip_prefix("<array>")?.split_once("</array>"));
    let command = match arguments {
        Some((arguments, _)) => strings(arguments),
        None => strings(behind("Program")?).into_iter().take(1).collect(),
    };
    (!command.is_empty()).then(|| command.join(" "))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_list_says_what_it_starts() {
        let list =
            |inner: &str| format!("<plist><dict><key>Label</key><string>a.b</string>{inner}<key>RunAtLoad</key><true/></dict></plist>");
        let arguments = list("<key>ProgramArguments</key>\n  <array>\n <string>node</string> <string>/srv/a.mjs</string></array>");
        assert_eq!(of_plist(&arguments).as_deref(), Some("node /srv/a.mjs"));
        assert_eq!(of_plist(&list("<key>Program</key><string>/opt/a</string>")).as_deref(), Some("/opt/a"));
        assert_eq!(of_plist(&list("")), None);
    }
}
