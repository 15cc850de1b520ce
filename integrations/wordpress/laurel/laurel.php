<?php
/**
 * Plugin Name:       Laurel leaderboards
 * Description:       Reports posts, comments and bbPress topics to Laurel, and shows its boards.
 * Version:           0.0.0
 * Requires at least: 6.0
 * Requires PHP:      7.4
 * Author:            Laurel
 * License:           GPL-2.0-or-later
 * License URI:       https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain:       laurel
 * Domain Path:       /languages
 */
defined( 'ABSPATH' ) || exit;
const LAUREL_LATEST = 2 * DAY_IN_SECONDS; // Laurel takes nothing older: that is imported
require __DIR__ . '/queue.php';
require __DIR__ . '/pair.php';
require __DIR__ . '/compare.php';
require __DIR__ . '/elements.php';
require __DIR__ . '/widget.php';
require __DIR__ . '/hide.php';
require __DIR__ . '/show.php';

/** Returns a setting; a constant such as LAUREL_HOOK_SECRET in wp-config.php comes first. */
function laurel_setting( $name ) {
	$constant = 'LAUREL_' . strtoupper( $name );
	return defined( $constant ) ? constant( $constant ) : (string) ( get_option( 'laurel', array() )[ $name ] ?? '' );
}
/** Returns a moment in milliseconds, by default this one; no two of these are the same in a request. */
function laurel_moment( $seconds = null ) {
	static $last = 0;
	$last = null === $seconds ? max( (int) ( 1000 * microtime( true ) ), $last + 1 ) : $last;
	$ms   = null === $seconds ? $last : (int) ( 1000 * $seconds );
	return gmdate( 'Y-m-d\TH:i:s', intdiv( $ms, 1000 ) ) . sprintf( '.%03dZ', $ms % 1000 );
}
/** Returns a moment of the database if it is recent, else another one. */
function laurel_recent( $gmt, $otherwise ) {
	$made = $gmt ? strtotime( "$gmt UTC" ) : 0; // nothing but a zone is now
	return $made && abs( time() - $made ) < LAUREL_LATEST - HOUR_IN_SECONDS ? laurel_moment( min( $made, time() ) ) : $otherwise;
}
/** Returns a text on one line, without characters that no text has, such as overrides of direction; '' if nothing in it shows. */
function laurel_text( $text, $most ) {
	$text  = mb_scrub( html_entity_decode( wp_strip_all_tags( $text ), ENT_QUOTES | ENT_HTML5, 'UTF-8' ), 'UTF-8' );
	$text  = preg_replace( '/[\t-\r\x{85}\x{2028}\x{2029}]+/u', ' ', $text );
	$text  = preg_replace( '/[\p{Cc}\x{202A}-\x{202E}\x{2066}-\x{2069}\x{FDD0}-\x{FDEF}]/u', '', $text );
	$plain = preg_replace_callback( '/[^\x{0}-\x{FFFD}]/u', fn( $m ) => ( mb_ord( $m[0], 'UTF-8' ) & 0xFFFE ) === 0xFFFE ? '' : $m[0], $text );
	$plain = preg_replace( '/^[\s\x{A0}]+|[\s\x{A0}]+$/u', '', mb_substr( preg_replace( '/^[\s\x{A0}]+/u', '', $plain ), 0, $most, 'UTF-8' ) );
	return preg_match( '/[^\p{Z}\p{Cc}\p{Cf}\p{Cn}\p{M}\x{115F}\x{1160}\x{2800}\x{3164}\x{FFA0}]/u', $plain ) ? $plain : '';
}
/** Returns the groups of roles, as the owner maps them; other roles are nobody's business. */
function laurel_roles() {
	return (array) ( get_option( 'laurel', array() )['groups'] ?? array() );
}
/** Returns the groups that a member is in by the roles, for the profile; nothing where none are mapped: Laurel keeps those that it has. */
function laurel_groups_of( $user ) {
	$roles = laurel_roles();
	return $roles ? array( 'groups' => array_slice( array_values( array_unique( array_intersect_key( $roles, array_flip( $user->roles ) ) ) ), 0, 20 ) ) : array();
}
/** Returns the profiles of members, to go with their activities. */
function laurel_users( array $ids ) {
	return array_values( array_map( function ( $user ) {
		$name   = laurel_text( $user->display_name, 100 );
		$avatar = get_option( 'show_avatars' ) ? get_avatar_url( $user->ID, array( 'size' => 96 ) ) : '';
		return array_filter( array( 'id' => "$user->ID", 'name' => '' === $name ? "$user->ID" : $name, 'link' => get_author_posts_url( $user->ID ), 'avatar' => $avatar ) ) + laurel_groups_of( $user );
	}, array_filter( array_map( 'get_userdata', array_unique( $ids ) ) ) ) );
}
/**
 * Returns the activities of an entry that counts from now on, or not any more. Each has a moment of its own, so
 * deliveries may be repeated and overtake each other. An activity that was undone before is restored where it was.
 */
function laurel_entry( $on, $user, $word, $target, $ref, $made ) {
	$entry = array_filter( array( 'user' => "$user", 'target' => $on || ! $ref ? $target : '', 'ref' => $ref ) ); // it may have been moved since
	$now   = $entry + ( $on ? array( 'action' => $word, 'restores' => true ) : array( 'action' => "un$word" ) ) + array( 'at' => laurel_moment() );
	return ! $user ? array() : ( $on && $made ? array( $entry + array( 'action' => $word, 'at' => $made ), $now ) : array( $now ) );
}
/** Reports that comments of members count, or not any more; of new ones that are old, from now on. */
function laurel_comments( array $comments, $on, $new = false ) {
	$comments = array_filter( $comments, fn( $c ) => $c && $c->user_id && in_array( $c->comment_type, array( '', 'comment' ), true ) );
	foreach ( array_chunk( $comments, 100 ) as $some ) {
		$acts = array();
		foreach ( $some as $c ) {
			$made = laurel_recent( $c->comment_date_gmt, $new ? laurel_moment() : null );
			array_push( $acts, ...laurel_entry( $on, $c->user_id, 'comment', "t$c->comment_post_ID", "c$c->comment_ID", $made ) );
		}
		laurel_queue( array( 'activities' => $acts, 'users' => laurel_users( $on ? wp_list_pluck( $some, 'user_id' ) : array() ) ) );
	}
}
add_action( 'wp_insert_comment', function ( $id, $comment ) {
	laurel_comments( '1' === (string) $comment->comment_approved ? array( $comment ) : array(), true, true );
}, 10, 2 );
add_action( 'transition_comment_status', function ( $new, $old, $comment ) { // to "delete", too
	laurel_comments( in_array( 'approved', array( $new, $old ), true ) ? array( $comment ) : array(), 'approved' === $new, 'unapproved' === $old );
}, 10, 3 );
add_action( 'trashed_post_comments', function ( $id, $statuses ) { // one UPDATE, no transitions
	laurel_comments( array_map( 'get_comment', array_keys( array_map( 'strval', $statuses ), '1', true ) ), false );
}, 10, 2 );
add_action( 'untrashed_post_comments', fn( $id ) => laurel_comments( get_comments( array( 'post_id' => $id, 'status' => 'approve' ) ), true ) );

/** Returns the types of posts that are articles of Laurel. */
function laurel_types() {
	return apply_filters( 'laurel_post_types', array( 'post', 'topic' ) );
}
/** Says whether everybody can read a post; a closed topic is not unpublished. */
function laurel_public( $post ) {
	return $post && in_array( $post->post_status, array( 'publish', 'closed' ), true ) && '' === $post->post_password;
}
/** Returns whether guests see the forum of a bbPress topic, and all forums above: posts elsewhere count, without a title. */
function laurel_open( $post ) {
	$seen = array();
	$at   = 'topic' === $post->post_type ? (int) $post->post_parent : 0;
	while ( $at && ! in_array( $at, $seen, true ) ) {
		$forum = get_post( $at );
		if ( ! laurel_public( $forum ) ) {
			return false;
		}
		$seen[] = $at;
		$at     = (int) $forum->post_parent;
	}
	return true;
}
/** Says whether a post counts: everybody can read it, and it is of a type that does. */
function laurel_counts( $post ) {
	return laurel_public( $post ) && in_array( $post->post_type, array_merge( laurel_types(), array( 'reply' ) ), true );
}
/** Returns an author's activity by a post, or by a reply, whose topic is its parent. */
function laurel_written( $post, $on, $author, $made = null ) {
	return 'reply' === $post->post_type ? laurel_entry( $on, $author, 'comment', "t$post->post_parent", "p$post->ID", $made )
		: laurel_entry( $on, $author, 'publish', "t$post->ID", null, $made );
}
/** Returns an article for Laurel; of one that guests do not read any more, no title. */
function laurel_article( $post, $first, $listed, $changed, $made ) {
	$title = $listed ? laurel_text( $post->post_title, 300 ) : "t$post->ID";
	if ( '' === $title ) {
		return array();
	}
	$slugs = wp_get_object_terms( $post->ID, array_intersect( array( 'category', 'post_tag', 'topic-tag' ), get_object_taxonomies( $post ) ), array( 'fields' => 'slugs' ) );
	$about = array( 'link' => get_permalink( $post ), 'groups' => array_slice( array_values( array_unique( preg_grep( '/^.{1,64}$/', (array) $slugs ) ) ), 0, 20 ) );
	$about = array_filter( ( $listed ? $about : array() ) + array( 'publishedAt' => $made ) ) + ( $changed ? array( 'listed' => $listed ) : array() );
	return array( 'articles' => array( array( 'id' => "t$post->ID", 'title' => $title, 'author' => array( 'id' => "$first[1]" ), 'changedAt' => laurel_moment() ) + $about ) );
}
/** Reports the topics of a forum, and of those below it, when guests see it from now on, or not any more. */
function laurel_forum( $id, $after ) {
	global $wpdb;
	$select = "SELECT ID FROM $wpdb->posts WHERE post_parent = %d AND post_type = %s AND ID > %d ORDER BY ID LIMIT 100";
	$topics = $wpdb->get_col( $wpdb->prepare( $select, $id, 'topic', $after ) );
	foreach ( array_filter( array_map( 'get_post', $topics ), 'laurel_counts' ) as $post ) {
		$first = get_post_meta( $post->ID, '_laurel', true ) ?: array( laurel_recent( $post->post_date_gmt, '' ), $post->post_author );
		$made  = laurel_recent( $first[0], null );
		update_post_meta( $post->ID, '_laurel', $first );
		$body = laurel_article( $post, $first, laurel_open( $post ), true, $made ?? '2000-01-01T00:00:00Z' ); // changed, not published now
		$acts = $first[1] === $post->post_author ? array() : laurel_written( $post, false, $first[1] ); // Laurel restores it by the article
		laurel_queue( $body + array( 'activities' => array_merge( $acts, laurel_written( $post, true, $post->post_author, $made ) ) ) );
	}
	100 === count( $topics ) && wp_schedule_single_event( time(), 'laurel_forum', array( (int) $id, (int) end( $topics ) ) );
	foreach ( 0 === $after ? $wpdb->get_col( str_replace( ' LIMIT 100', '', $wpdb->prepare( $select, $id, 'forum', 0 ) ) ) : array() as $below ) {
		wp_schedule_single_event( time(), 'laurel_forum', array( (int) $below, 0 ) );
	}
}
add_action( 'laurel_forum', 'laurel_forum', 10, 2 );
/** Has a forum's topics reported soon: there may be many. */
function laurel_forum_changed( $id ) {
	laurel_setting( 'url' ) && wp_schedule_single_event( time(), 'laurel_forum', array( (int) $id, 0 ) );
}
add_action( 'transition_post_status', function ( $new, $old, $post ) { // bbPress updates its row silently
	'forum' === $post->post_type && $new !== $old && laurel_forum_changed( $post->ID );
}, 10, 3 );
add_action( 'post_updated', function ( $id, $post, $before ) {
	$differs = $post->post_parent !== $before->post_parent || $post->post_password !== $before->post_password;
	'forum' === $post->post_type && $differs && laurel_forum_changed( $id );
}, 10, 3 );
add_action( 'wp_after_insert_post', function ( $id, $post, $update, $before ) {
	$on  = laurel_counts( $post );
	$was = laurel_counts( $before );
	if ( ! ( $on || $was ) ) {
		return;
	}
	$article = $on && 'reply' !== $post->post_type;
	$listed  = $article && laurel_open( $post );
	$before_article = $was && 'reply' !== $before->post_type; // a post can become another type
	$before_listed  = $before_article && laurel_open( $before );
	$new   = $on && ! $was && $id > get_option( 'laurel_history' );
	$first = get_post_meta( $id, '_laurel', true ) ?: array( laurel_recent( $post->post_date_gmt, $new ? laurel_moment() : '' ), $post->post_author );
	$made  = laurel_recent( $first[0], null );
	$acts  = $on !== $was ? laurel_written( $on ? $post : $before, $on, ( $on ? $post : $before )->post_author, $made ) : array();
	$moved = $on && 'reply' === $post->post_type && $was && $before->post_parent !== $post->post_parent;
	if ( $on && $was && ( $before->post_author !== $post->post_author || $article !== $before_article || $moved ) ) {
		$acts = array_merge( laurel_written( $before, false, $before->post_author ), laurel_written( $post, true, $post->post_author, $made ) );
	}
	if ( $listed || $before_listed ) {
		update_post_meta( $id, '_laurel', $first ); // its moment and author do not change
		$body = laurel_article( $post, $first, $listed, $listed !== $before_listed, $made ?? '2000-01-01T00:00:00Z' ); // of the history: changed, not published now
		$acts = array_merge( $acts, $article && ! $listed ? laurel_written( $post, true, $post->post_author, $made ) : array() ); // Laurel took it back with the article
	}
	laurel_queue( ( $body ?? array() ) + array( 'activities' => $acts, 'users' => laurel_users( $on ? array( $post->post_author ) : array() ) ) );
}, 10, 4 );
add_action( 'before_delete_post', function ( $id, $post ) { // for good: there is no transition
	$gone = in_array( $post->post_type, laurel_types(), true ) ? array( 'deletedArticles' => array( "t$id" ), 'voids' => array( array( 'target' => "t$id" ) ) ) : array();
	if ( ( $gone || 'reply' === $post->post_type ) && ! in_array( $post->post_status, array( 'auto-draft', 'draft' ), true ) ) {
		laurel_queue( $gone + array( 'activities' => laurel_written( $post, false, $post->post_author ) ) );
	}
}, 10, 2 );
add_action( 'delete_user', function ( $id, $heir ) { // the posts get another author silently
	$query = array( 'author' => $id, 'post_type' => array_merge( laurel_types(), array( 'reply' ) ), 'post_status' => array( 'publish', 'closed' ), 'numberposts' => 1000 );
	foreach ( $heir ? array_filter( get_posts( $query ), 'laurel_public' ) : array() as $post ) {
		$acts = array_merge( laurel_written( $post, false, $id ), laurel_written( $post, true, $heir, laurel_recent( $post->post_date_gmt, null ) ) );
		laurel_queue( array( 'activities' => $acts, 'users' => laurel_users( array( $heir ) ) ) );
	}
}, 10, 2 );
add_action( 'deleted_user', fn( $id ) => laurel_queue( array( 'deletedUsers' => array( "$id" ) ) ) );
add_action( 'profile_update', fn( $id ) => laurel_queue( array( 'users' => laurel_users( array( $id ) ) ) ) );
foreach ( array( 'set_user_role', 'add_user_role', 'remove_user_role' ) as $changed ) {
	add_action( $changed, fn( $id ) => laurel_roles() && laurel_queue( array( 'users' => laurel_users( array( $id ) ) ) ) );
}
/** Reports the groups of all members, some at a time, after the owner has mapped roles otherwise. */
function laurel_regroup( $after ) {
	global $wpdb;
	$ids = $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM $wpdb->users WHERE ID > %d ORDER BY ID LIMIT 100", $after ) );
	laurel_queue( array( 'users' => laurel_users( array_map( 'intval', $ids ) ) ) );
	100 === count( $ids ) && wp_schedule_single_event( time(), 'laurel_regroup', array( (int) end( $ids ) ) );
}
add_action( 'laurel_regroup', 'laurel_regroup' );
add_action( 'update_option_laurel', function ( $before, $after ) {
	( $before['groups'] ?? array() ) === ( $after['groups'] ?? array() ) || wp_schedule_single_event( time(), 'laurel_regroup', array( 0 ) );
}, 10, 2 );

/** For other plugins: do_action( 'laurel_report', $user, 'like', 't12' ). */
function laurel_report( $user, $action, $target ) {
	laurel_queue( array( 'activities' => array( array( 'user' => "$user", 'action' => $action, 'target' => $target, 'at' => laurel_moment() ) ), 'users' => laurel_users( array( $user ) ) ) );
}
add_action( 'laurel_report', 'laurel_report', 10, 3 );
add_action( 'bbp_add_user_favorite', fn( $user, $topic ) => laurel_report( $user, 'bookmark', "t$topic" ), 10, 2 );
add_action( 'bbp_remove_user_favorite', fn( $user, $topic ) => laurel_report( $user, 'unbookmark', "t$topic" ), 10, 2 );
