'use strict';

define('admin/plugins/laurel', ['settings', 'translator'], function (settings, translator) {
	return {
		init: function () {
			const form = $('.laurel-settings');
			settings.load('laurel', form);
			$('#save').on('click', () => settings.save('laurel', form));
			$('.laurel-pair').on('submit', function () {
				const given = { url: $('#pair-url').val(), code: $('#pair-code').val() };
				socket.emit('admin.plugins.laurel.pair', given, function (err, wrong) {
					translator.translate(err ? err.message : wrong || '[[laurel:paired]]').then(text => $('.laurel-status').text(text));
					wrong || err || settings.load('laurel', form);
				});
				return false;
			});
			$('.laurel-compare').on('click', () => socket.emit('admin.plugins.laurel.compare', {}, () => ajaxify.refresh()));
		},
	};
});
