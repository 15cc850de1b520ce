// The page of settings, in Flarum 1 and 2.
app.initializers.add('laurel', function () {
  var trans = app.translator.trans.bind(app.translator);
  var page = (app.registry || app.extensionData)['for']('laurel-leaderboards');
  [
    ['url', 'url', trans('laurel-leaderboards.url'), 'https://laurel.example'],
    ['board', 'text', trans('laurel-leaderboards.board'), 'activity'],
    ['hook_secret', 'password', trans('laurel-leaderboards.hook_secret'), ''],
    ['user_secret', 'password', trans('laurel-leaderboards.user_secret'), ''],
  ].forEach(function (s) {
    page.registerSetting({ setting: 'laurel.' + s[0], type: s[1], label: s[2], placeholder: s[3], autocomplete: 'off' });
  });
});
