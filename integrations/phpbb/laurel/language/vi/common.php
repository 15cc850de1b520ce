<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'LAUREL_KIND_BOARD' => 'Bảng xếp hạng',
	'LAUREL_KIND_FRIENDS' => 'Bảng xếp hạng bạn bè',
	'LAUREL_KIND_STANDING' => 'Thứ hạng của tôi',
	'LAUREL_KIND_DAYS' => 'Các ngày của tôi',
	'LAUREL_KIND_HOT' => 'Bài viết nổi bật',
	'LAUREL_KIND_WINNERS' => 'Người thắng cuộc',
	'LAUREL_SHOW_ME' => 'Hiện tôi trên bảng xếp hạng',
	'LAUREL_SHOW_ME_EXPLAIN' => 'Nếu không, không ai khác thấy tên và thứ hạng của bạn. Điểm vẫn được giữ và tiếp tục được tính.',
	'LAUREL_UNHEARD' => 'Bảng xếp hạng không trả lời. Hãy thử lại sau vài phút; chưa có gì thay đổi.',
]);
