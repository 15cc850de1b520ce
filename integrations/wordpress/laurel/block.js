// The block in the editor: its settings at the side, and the board as the page shows it.
( function ( wp ) {
	const el = wp.element.createElement;
	const __ = wp.i18n.__;
	wp.blocks.registerBlockType( 'laurel/board', {
		edit: function ( { attributes, setAttributes } ) {
			const field = ( name, label, help ) =>
				el( wp.components.TextControl, {
					key: name, label, help, value: attributes[ name ] || '',
					onChange: ( value ) => setAttributes( { [ name ]: value } ),
				} );
			const panel = el( wp.components.PanelBody, { title: __( 'Board', 'laurel' ) },
				field( 'board', __( 'Board', 'laurel' ) ),
				field( 'windows', __( 'Windows', 'laurel' ), 'day week month' ),
				field( 'layout', __( 'Layout', 'laurel' ), 'table podium compact' ),
				field( 'limit', __( 'Rows', 'laurel' ) )
			);
			return el( 'div', wp.blockEditor.useBlockProps(),
				el( wp.blockEditor.InspectorControls, {}, panel ),
				el( wp.serverSideRender, { block: 'laurel/board', attributes } ),
				el( 'p', {}, __( 'Leaderboard', 'laurel' ) )
			);
		},
		save: () => null,
	} );
} )( window.wp );
