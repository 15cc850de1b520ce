// The page of settings, in Flarum 1 and 2.
app.initializers.add('laurel', function () {
  var page = (app.registry || app.extensionData)['for']('laurel-leaderboards');
  [
    ['url', 'url', 'Address of Laurel', 'https://laurel.example'],
    ['board', 'text', 'Board', 'activity'],
    ['hook_secret', 'password', 'Secret of webhooks (standard=...)', ''],
    ['user_secret', 'password', 'Secret of tokens (USER_SECRETS)', ''],
  ].forEach(function (s) {
    page.registerSetting({ setting: 'laurel.' + s[0], type: s[1], label: s[2], placeholder: s[3], autocomplete: 'off' });
  });
});
