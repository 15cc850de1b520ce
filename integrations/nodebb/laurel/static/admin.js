'use strict';

define('admin/plugins/laurel', ['settings'], function (settings) {
	return {
		init: function () {
			const form = $('.laurel-settings');
			settings.load('laurel', form);
			$('#save').on('click', () => settings.save('laurel', form));
		},
	};
});
