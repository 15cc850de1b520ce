<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'ACP_LAUREL' => 'Bảng xếp hạng Laurel',
	'ACP_LAUREL_SETTINGS' => 'Cài đặt',
	'LAUREL_URL' => 'Địa chỉ',
	'LAUREL_BOARD' => 'Bảng',
	'LAUREL_HOOK_SECRET' => 'Khóa bí mật của webhook',
	'LAUREL_USER_SECRET' => 'Khóa bí mật của token',
	'LAUREL_KEPT' => 'đã đặt; để trống thì giữ nguyên',
	'LAUREL_LAST_ERROR' => 'Lỗi gần nhất:',
	'LAUREL_PAIRING' => 'Ghép nối',
	'LAUREL_PAIRING_EXPLAIN' => '<code>laurel pair</code> in ra một mã; lần khởi động đầu tiên của <code>laurel serve</code> cũng vậy.',
	'LAUREL_CODE' => 'Mã',
	'LAUREL_PAIR' => 'Ghép nối',
	'LAUREL_PAIRED' => 'Đã ghép nối.',
	'LAUREL_UNPAIRED' => 'Chưa ghép nối.',
	'LAUREL_STATUS' => '%1$s, %2$d đang chờ.',
	'LAUREL_AGO' => 'báo cáo gần nhất %d giây trước',
	'LAUREL_NO_REPORT' => 'chưa có báo cáo',
	'LAUREL_WRONG_CODE' => 'Mã sai, đã dùng, hoặc cũ hơn mười phút. Hãy tạo mã khác: laurel pair.',
	'LAUREL_NEEDS_HTTPS' => 'Địa chỉ phải bắt đầu bằng https://, vì khóa bí mật đến từ đó. Chỉ khi Laurel ở trên chính máy chủ này mới được dùng http://localhost:8080.',
	'LAUREL_WRONG_SECRET' => 'Laurel không biết khóa bí mật của diễn đàn này, hoặc đồng hồ bị sai. Hãy ghép nối lại.',
	'LAUREL_NOT_THERE' => 'Không có Laurel ở địa chỉ này.',
	'LAUREL_NO_SECRET' => 'Laurel này chưa có khóa bí mật cho phần mở rộng. Hãy để laurel serve tạo khóa, hoặc chạy laurel pair cho stack.',
	'LAUREL_NO_ANSWER' => 'Laurel không trả lời. Nó có đang chạy không, và máy chủ này có tới được địa chỉ đó không?',
	'LAUREL_FAILS' => 'Laurel trả lời bằng một lỗi; lỗi gần nhất ở bên dưới.',
	'LAUREL_CRON' => 'Lần gửi gần nhất bởi cron: %s. Nếu dùng cron của hệ thống, hãy xóa bộ nhớ đệm một lần sau khi bật: php bin/phpbbcli.php cache:purge',
	'LAUREL_NEVER' => 'chưa bao giờ',
	'LAUREL_AGAIN' => 'Gửi lại hai ngày gần nhất',
	'LOG_LAUREL' => '<strong>Báo cáo tới Laurel</strong><br>» %s',
]);
