//! Rights that are given: what is told, how bad it is, and what is left alone.

use crate::judge;
use callgate::model::registry::ModelSettings;

#[test]
fn grants_are_told_by_what_is_given_to_whom() {
    let mut wrong: Vec<String> = Vec::new();
    for (call, expected) in [
        ("'iam:assignRole', { user: 'u7', role: 'admin' }", Some("critical")),
        ("'iam:assignRole', { user: 'u7', role: 'roles/owner' }", Some("critical")),
        ("'users:update', { id: 7, isAdmin: true }", Some("critical")),
        ("'users:update', { id: 7, isAdmin: false }", None),
        ("'users:update', { id: 7, name: 'admin' }", None),
        ("'users:get', { role: 'admin' }", None),
        ("'iam:assignRole', { user: 'ada@acme.example', role: 'viewer' }", Some("low")),
        ("'iam:assignRole', { user: 'u7', role: 'editor' }", Some("medium")),
        ("'iam:revokeRole', { user: 'u7', role: 'admin' }", None),
        ("'iam:attachPolicy', { role: 'r', policyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' }", Some("critical")),
        ("'iam:putPolicy', { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }", Some("critical")),
        ("'iam:putPolicy', { Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] }", Some("critical")),
        ("'iam:putPolicy', { Statement: [{ Effect: 'Deny', Action: '*', Resource: '*' }] }", None),
        ("'iam:putPolicy', { policy: '{ \"Effect\": \"Allow\", \"Action\": \"*\", \"Resource\": \"*\" }' }", Some("critical")),
        ("'iam:putPolicy', { Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::a/b' }] }", None),
        // Shares.
        ("'drive:share', { file: 'f1', type: 'anyone', role: 'reader' }", Some("critical")),
        ("'drive:share', { file: 'f1', email: 'x@gmail.com', role: 'writer' }", Some("critical")),
        ("'drive:share', { file: 'f1', email: 'ada@acme.example', role: 'reader' }", Some("low")),
        ("'drive:share', { file: 'f1', email: 'ada@acme.example', role: 'writer' }", Some("medium")),
        ("'s3:putBucketAcl', { bucket: 'b', acl: 'public-read' }", Some("critical")),
        ("'s3:putBucketAcl', { bucket: 'b', acl: 'private' }", None),
        ("'repo:update', { repo: 'r', visibility: 'public' }", Some("critical")),
        ("'repo:update', { repo: 'r', visibility: 'private' }", None),
        ("'posts:publish', { id: 7, visibility: 'public' }", None),
        ("'repo:addCollaborator', { user: 'contractor-x', permission: 'admin' }", Some("critical")),
        ("'repo:addCollaborator', { user: 'ada', permission: 'pull' }", Some("low")),
        // Networks.
        ("'firewall:addRule', { direction: 'ingress', cidr: '0.0.0.0/0', port: 22 }", Some("critical")),
        ("'firewall:addRule', { direction: 'ingress', cidr: '0.0.0.0/0', port: 443 }", Some("medium")),
        ("'firewall:addRule', { direction: 'egress', cidr: '0.0.0.0/0', port: 443 }", None),
        ("'firewall:addRule', { direction: 'ingress', cidr: '10.0.0.0/8', port: 22 }", None),
        // Keys.
        ("'iam:createAccessKey', { user: 'u7' }", Some("medium")),
        ("'github:createToken', { name: 'ci', expiresAt: null }", Some("high")),
        ("'github:createToken', { name: 'ci', scopes: ['admin'] }", Some("critical")),
        ("'ssh:addKey', { user: 'root', key: 'ssh-ed25519 A' }", Some("high")),
        ("'github:addSshKey', { key: 'ssh-ed25519 A' }", Some("high")),
        ("'translations:createKey', { key: 'title' }", None),
        ("'tokens:list', {}", None),
        // Guards.
        ("'security:disableMfa', { user: 'u7' }", Some("critical")),
        ("'settings:update', { mfaRequired: false }", Some("critical")),
        ("'settings:update', { audit: { enabled: false } }", Some("critical")),
        ("'settings:update', { mfaRequired: true }", None),
        ("'settings:update', { darkMode: false }", None),
        ("'security:enableMfa', { user: 'u7' }", None),
        ("'audit:list', { limit: 10 }", None),
        // Hooks.
        ("'webhooks:create', { url: 'https://webhook.site/1' }", Some("critical")),
        ("'webhooks:create', { url: 'https://hooks.acme.example/1' }", Some("medium")),
        ("'webhooks:list', {}", None),
    ] {
        let text = format!("await callTool({call})");
        let finding = judge::judge("hybrid", &ModelSettings::default(), &text);
        let hits: Vec<_> = finding
            .matches
            .iter()
            .filter(|found| found.rules().any(|rule| rule.id == "privilege-grant"))
            .map(|found| found.severity.name())
            .collect();
        if hits != Vec::from_iter(expected) {
            wrong.push(format!("{hits:?} for {expected:?} {text}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
