<?php
/** The elements of pages: Laurel's as blocks, as a shortcode and as a widget. */
defined( 'ABSPATH' ) || exit;
const LAUREL_WINDOWS = array( 'day', 'week', 'month', 'quarter', 'year', 'all', '7d', '30d', 'contest' );
const LAUREL_ENDING = array( 'day', 'week', 'month', 'quarter', 'year', 'contest' ); // they have winners
const LAUREL_LAYOUTS = array( 'table', 'podium', 'compact' );
/** Returns the elements that can be shown: the element, its title, its choices, and whether it is a member's own. */
function laurel_kinds() {
	return array(
		'board'    => array( 'laurel-board', __( 'Leaderboard', 'laurel' ), array( 'board', 'windows', 'layout', 'limit' ), false ),
		'friends'  => array( 'laurel-board', __( 'Leaderboard of friends', 'laurel' ), array( 'board', 'windows', 'layout', 'limit' ), true ),
		'standing' => array( 'laurel-standing', __( 'My place', 'laurel' ), array( 'board', 'window' ), true ),
		'days'     => array( 'laurel-heatmap', __( 'My days', 'laurel' ), array( 'board' ), true ),
		'hot'      => array( 'laurel-hot', __( 'Hot articles', 'laurel' ), array( 'limit' ), false ),
		'winners'  => array( 'laurel-winners', __( 'Winners', 'laurel' ), array( 'board', 'window', 'limit' ), false ),
		'hide'     => array( 'laurel-hide', __( 'Show me on the leaderboards', 'laurel' ), array(), true ),
	);
}
/** Returns the boards by name, each with its title and windows; Laurel is asked every five minutes at most. */
function laurel_boards() {
	$found = get_transient( 'laurel_boards' );
	if ( ! is_array( $found ) ) {
		$answer = laurel_setting( 'url' ) ? wp_remote_get( laurel_setting( 'url' ) . '/v1/boards', array( 'timeout' => 3 ) ) : null;
		$found  = json_decode( wp_remote_retrieve_body( $answer ), true )['boards'] ?? array();
		set_transient( 'laurel_boards', $found, $found ? 5 * MINUTE_IN_SECONDS : MINUTE_IN_SECONDS );
	}
	$tags   = array_flip( array( str_replace( '_', '-', determine_locale() ), substr( determine_locale(), 0, 2 ), 'en' ) );
	$boards = array();
	foreach ( $found ?: array( array( 'board' => laurel_setting( 'board' ) ?: 'activity', 'windows' => LAUREL_WINDOWS ) ) as $b ) {
		$labels                = array_filter( array_intersect_key( array_replace( $tags, $b['labels'] ?? array() ), $tags ), 'is_string' );
		$boards[ $b['board'] ] = array( 'title' => current( $labels ) ?: $b['board'], 'windows' => $b['windows'] );
	}
	return $boards;
}
/** Returns the words of the choices. */
function laurel_choices() {
	return array(
		'board'  => array_map( fn( $b ) => $b['title'], laurel_boards() ),
		'window' => array( 'day' => __( 'day', 'laurel' ), 'week' => __( 'week', 'laurel' ), 'month' => __( 'month', 'laurel' ), 'quarter' => __( 'quarter', 'laurel' ), 'year' => __( 'year', 'laurel' ), 'all' => __( 'all time', 'laurel' ), '7d' => __( 'last 7 days', 'laurel' ), '30d' => __( 'last 30 days', 'laurel' ), 'contest' => __( 'contest', 'laurel' ) ),
		'layout' => array( 'table' => __( 'table', 'laurel' ), 'podium' => __( 'podium', 'laurel' ), 'compact' => __( 'compact', 'laurel' ) ),
	);
}
/** Returns the choices in the element's form: invalid ones are left out, and numbers have limits. */
function laurel_chosen( $kind, array $given ) {
	$given = array_map( 'strval', array_filter( $given, 'is_scalar' ) );
	$valid = array(
		'board'   => preg_match( '/^[\w.-]{1,64}$/', $given['board'] ?? '' ) ? $given['board'] : ( laurel_setting( 'board' ) ?: 'activity' ),
		'windows' => implode( ' ', array_intersect( LAUREL_WINDOWS, preg_split( '/[\s,]+/', $given['windows'] ?? '' ) ) ) ?: 'day month',
		'window'  => in_array( $given['window'] ?? '', 'winners' === $kind ? LAUREL_ENDING : LAUREL_WINDOWS, true ) ? $given['window'] : 'month',
		'layout'  => in_array( $given['layout'] ?? '', LAUREL_LAYOUTS, true ) ? $given['layout'] : 'table',
		'limit'   => min( 'winners' === $kind ? 31 : 100, max( 1, (int) ( $given['limit'] ?? '' ) ?: ( 'winners' === $kind ? 3 : 10 ) ) ),
	);
	return array_intersect_key( $valid, array_flip( laurel_kinds()[ $kind ][2] ) );
}
/** Returns how high an element will be in em, so that nothing moves when it is there. */
function laurel_room( $kind, array $all ) {
	$rows  = min( 10, $all['limit'] ?? 10 );
	$fixed = array( 'standing' => 1.6, 'hide' => 1.6, 'days' => 12, 'hot' => 3.7 * $rows, 'winners' => 8 * min( 3, $rows ) );
	$board = array( 'compact' => 2.04 * $rows + 3, 'podium' => 2.64 * $rows + 7.5, 'table' => 2.64 * $rows + 5 );
	return round( $fixed[ $kind ] ?? $board[ $all['layout'] ] + ( isset( $all['user'] ) ? 6 : 0 ), 1 ) . 'em';
}
/** Returns an element; '' where there is no Laurel, and for guests if it is a member's own. */
function laurel_element( $kind, $given ) {
	$kind = isset( laurel_kinds()[ $kind ] ) ? $kind : 'board';
	list( $name, , , $own ) = laurel_kinds()[ $kind ];
	if ( ! laurel_setting( 'url' ) || ( $own && ! is_user_logged_in() ) ) {
		return '';
	}
	$all = laurel_chosen( $kind, (array) $given );
	if ( is_user_logged_in() && 'winners' !== $kind ) {
		$all['user']      = get_current_user_id();
		$all['token-url'] = add_query_arg( '_wpnonce', wp_create_nonce( 'wp_rest' ), rest_url( 'laurel/v1/token' ) );
	}
	$more = 'board' === $kind ? array_intersect_key( (array) $given, array_flip( array( 'label', 'period', 'periods', 'more' ) ) ) : array();
	$all += 'friends' === $kind ? array( 'friends' => 'friends' ) : $more;
	wp_enqueue_script( 'laurel-board' );
	$html = '';
	foreach ( array_filter( $all, fn( $value ) => '' !== (string) $value ) as $attribute => $value ) {
		$html .= " $attribute=\"" . esc_attr( $value ) . '"';
	}
	return "<$name$html style=\"--laurel-room:" . laurel_room( $kind, $all ) . "\"></$name>";
}
/** Returns the content of the shortcode: [laurel show="winners" board="activity" window="month" limit="3"]. */
function laurel_shortcode( $given ) {
	$given = (array) $given;
	return laurel_element( $given['show'] ?? 'board', $given );
}
/** Returns a block: in the editor it says, too, why nothing is shown. */
function laurel_block( $kind, $given ) {
	$html = laurel_element( $kind, $given );
	$edit = defined( 'REST_REQUEST' ) && REST_REQUEST && current_user_can( 'edit_posts' );
	return '' === $html && $edit ? '<p>' . esc_html__( 'Not paired yet.', 'laurel' ) . '</p>' : $html;
}
add_action( 'init', function () {
	load_plugin_textdomain( 'laurel', false, dirname( plugin_basename( __FILE__ ) ) . '/languages' ); // before 6.8 nothing else does
	wp_register_script( 'laurel-board', laurel_setting( 'url' ) . '/embed/laurel.js', array(), null, true );
	$needs = array( 'wp-blocks', 'wp-block-editor', 'wp-components', 'wp-element', 'wp-i18n', 'wp-server-side-render' );
	wp_register_script( 'laurel-block', plugins_url( 'block.js', __FILE__ ), $needs, '2', true );
	wp_set_script_translations( 'laurel-block', 'laurel', __DIR__ . '/languages' );
	register_block_type( __DIR__, array( 'render_callback' => fn( $given ) => laurel_block( 'board', $given ) ) );
	foreach ( array_diff_key( laurel_kinds(), array( 'board' => 0 ) ) as $kind => list( , $title, $fields ) ) {
		register_block_type( "laurel/$kind", array(
			'api_version'     => 2,
			'title'           => $title,
			'category'        => 'widgets',
			'icon'            => 'awards',
			'keywords'        => array( 'laurel' ),
			'attributes'      => array_fill_keys( $fields, array( 'type' => 'string' ) ),
			'supports'        => array( 'html' => false ),
			'editor_script'   => 'laurel-block',
			'render_callback' => fn( $given ) => laurel_block( $kind, $given ),
		) );
	}
	add_shortcode( 'laurel', 'laurel_shortcode' );
} );
add_filter( 'script_loader_tag', function ( $tag, $handle ) {
	return 'laurel-board' === $handle ? preg_replace( '/<script( type=.text\/javascript.)?/', '<script type="module"', $tag ) : $tag;
}, 10, 2 );
add_action( 'wp_head', function () { // the room for the coming content, before there is a script; not for ever
	echo '<style id="laurel-room">:is(laurel-board, laurel-standing, laurel-heatmap, laurel-hot, laurel-winners, laurel-hide):not(:defined) { display: block; min-height: var(--laurel-room, 31em); background: repeating-linear-gradient(#0000 0 2.5em, #8883 0 2.58em); animation: laurel 0s 9s forwards } @keyframes laurel { to { min-height: 0; background: none } }</style>' . "\n";
} );
add_action( 'enqueue_block_editor_assets', function () {
	$boards = laurel_boards();
	$kinds  = array_map( fn( $kind ) => array_slice( $kind, 1, 2 ), laurel_kinds() );
	wp_add_inline_script( 'laurel-block', 'window.laurelChoices = ' . wp_json_encode( compact( 'boards', 'kinds' ) + array( 'ending' => LAUREL_ENDING ) + laurel_choices() ) . ';', 'before' );
} );
add_action( 'enqueue_block_assets', function () { // the preview is in a frame of its own since 6.3
	is_admin() && laurel_setting( 'url' ) && wp_enqueue_script( 'laurel-board' );
} );
