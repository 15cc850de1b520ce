<?php
/** Comparing: WordPress's own tables show the points that members should have this month, and Laurel names the members who differ. */
defined( 'ABSPATH' ) || exit;
/** Returns the rows of each member in the tables, without members who are on the board alone. */
function laurel_standing() {
	global $wpdb;
	$types = "'" . implode( "', '", array_map( 'esc_sql', laurel_types() ) ) . "'";
	$names = array( 'wp_users' => $wpdb->users, 'wp_posts' => $wpdb->posts, 'wp_comments' => $wpdb->comments, "'post', 'topic'" => $types );
	$text  = rtrim( strtr( file_get_contents( plugin_dir_path( __FILE__ ) . 'standing.sql' ), $names ), "; \n" );
	$users = array();
	foreach ( $wpdb->get_results( $wpdb->prepare( "SELECT * FROM ($text) h WHERE h.at > %d", time() - 32 * DAY_IN_SECONDS ), ARRAY_A ) as $row ) {
		$users[ $row['user'] ][] = array_filter( array( 'at' => laurel_moment( $row['at'] ) ) + $row );
	}
	for ( $path = '/v1/boards/' . rawurlencode( laurel_setting( 'board' ) ) . '/month?limit=100'; $path; $path = $page['next'] ?? '' ) {
		$page   = json_decode( wp_remote_retrieve_body( wp_remote_get( laurel_setting( 'url' ) . $path ) ), true );
		$users += array_fill_keys( array_column( array_column( $page['entries'] ?? array(), 'user' ), 'id' ), array() );
	}
	return $users;
}
/** Returns members in groups, each of which is a request: up to 50, or those with some 5,000 rows. */
function laurel_groups( array $users ) {
	$groups = array();
	$weight = 0;
	foreach ( $users as $user => $done ) {
		$weight += 100 + count( $done );
		$groups[ intdiv( $weight, 5000 ) ][ $user ] = $done;
	}
	return $groups;
}
/** Compares the month, since there is the plugin or, once Laurel has the history, from its start; and keeps the result. */
function laurel_compare() {
	$found = array( 'at' => time(), 'wrong' => '', 'differ' => array(), 'since' => (int) get_option( 'laurel_since' ) );
	foreach ( laurel_setting( 'url' ) ? laurel_groups( laurel_standing() ) : array() as $some ) {
		$asked  = array( 'actions' => array( 'comment', 'publish' ), 'users' => array_map( 'strval', array_keys( $some ) ), 'activities' => array_merge( ...$some ) );
		$asked += array( 'since' => laurel_moment( get_option( 'laurel_since' ) ) );
		$answer = laurel_call( 'cmp_' . wp_generate_uuid4(), wp_json_encode( array( 'compare' => $asked ) ), 20 );
		$said   = json_decode( wp_remote_retrieve_body( $answer ), true );
		if ( ! isset( $said['compared'] ) ) {
			$found['wrong'] = laurel_fault( $answer );
			break;
		}
		$found['since'] = strtotime( $said['compared']['since'] );
		array_push( $found['differ'], ...array_filter( $said['compared']['differ'], fn( $m ) => ! isset( $m['apart'] ) ) );
	}
	update_option( 'laurel_compared', $found, false );
}
add_action( 'laurel_compare', 'laurel_compare' );
/** Returns whether boards equal the tables. */
function laurel_equal() {
	$found = get_option( 'laurel_compared' );
	if ( ! $found ) {
		return __( 'not compared yet', 'laurel' );
	}
	$at = wp_date( 'H:i', $found['at'] );
	if ( $found['wrong'] ) {
		/* translators: %1$s: a time, %2$s: what is wrong */
		return sprintf( __( 'not compared with your tables at %1$s: %2$s', 'laurel' ), $at, laurel_words( $found['wrong'] ) );
	}
	$number = count( $found['differ'] );
	/* translators: %s: a day and a time */
	$since = ' ' . sprintf( __( '(compared since %s)', 'laurel' ), wp_date( 'Y-m-d H:i', $found['since'] ) );
	/* translators: %1$d: a number, %2$s: a time */
	return $number ? sprintf( _n( '%1$d member differs from your tables at %2$s', '%1$d members differ from your tables at %2$s', $number, 'laurel' ), $number, $at ) . $since
		/* translators: %s: a time */
		: sprintf( __( 'equal to your tables at %s', 'laurel' ), $at ) . $since;
}
/** Shows the members who differ, and their differences. */
function laurel_differences() {
	$kinds = array( 'missing' => __( 'in WordPress, not in Laurel', 'laurel' ), 'undone' => __( 'in WordPress, taken back in Laurel', 'laurel' ), 'surplus' => __( 'in Laurel, not in WordPress', 'laurel' ) );
	foreach ( get_option( 'laurel_compared' )['differ'] ?? array() as $m ) {
		/* translators: %1$s: a member, %2$d and %3$d: points */
		printf( '<p>%s', esc_html( sprintf( __( '%1$s: %2$d points by your tables, %3$d in Laurel', 'laurel' ), $m['name'] ?? $m['user'], $m['should'], $m['has'] ) ) );
		foreach ( array_slice( $m['differences'], 0, 20 ) as $d ) {
			$what = implode( ' ', array_intersect_key( $d, array_flip( array( 'action', 'target', 'ref', 'forum' ) ) ) );
			printf( '<br>%s: %s', esc_html( $what ), esc_html( $kinds[ $d['kind'] ] ?? __( 'not the same in both', 'laurel' ) ) );
		}
		echo '</p>';
	}
	printf( '<form method="post" action="%s"><input type="hidden" name="action" value="laurel_compare">', esc_url( admin_url( 'admin-post.php' ) ) );
	wp_nonce_field( 'laurel_compare' );
	submit_button( __( 'Compare now', 'laurel' ), 'secondary' );
	echo '</form>';
}
add_action( 'admin_post_laurel_compare', function () {
	current_user_can( 'manage_options' ) || wp_die( '', '', 403 );
	check_admin_referer( 'laurel_compare' );
	laurel_compare();
	wp_safe_redirect( admin_url( 'options-general.php?page=laurel' ) );
	exit;
} );
