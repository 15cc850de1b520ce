'use strict';

define('admin/plugins/laurel', ['settings'], function (settings) {
	return {
		init: function () {
			const form = $('.laurel-settings');
			settings.load('laurel', form);
			$('#save').on('click', () => settings.save('laurel', form));
			$('.laurel-pair').on('submit', function () {
				const given = { url: $('#pair-url').val(), code: $('#pair-code').val() };
				socket.emit('admin.plugins.laurel.pair', given, function (err, wrong) {
					$('.laurel-status').text(err ? err.message : wrong || 'Paired.');
					wrong || err || settings.load('laurel', form);
				});
				return false;
			});
			$('.laurel-compare').on('click', () => socket.emit('admin.plugins.laurel.compare', {}, () => ajaxify.refresh()));
		},
	};
});
