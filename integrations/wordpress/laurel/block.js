// The blocks in the editor: their choices at the side, and the content of the page.
( function ( wp, choices ) {
	const el = wp.element.createElement;
	const { __ } = wp.i18n;
	const { SelectControl, CheckboxControl, RangeControl, PanelBody } = wp.components;
	const options = ( words ) => Object.entries( words ).map( ( [ value, label ] ) => ( { value, label } ) );

	/** Returns the fields of a block, by the names of its attributes. */
	const fields = ( kind, attributes, setAttributes ) => {
		const board = attributes.board || Object.keys( choices.boards )[ 0 ];
		const kept = ( choices.boards[ board ] || { windows: Object.keys( choices.window ) } ).windows;
		const windows = options( choices.window ).filter( ( { value } ) => kept.includes( value ) );
		const tabs = ( attributes.windows || 'day month' ).split( ' ' );
		const set = ( name ) => ( value ) => setAttributes( { [ name ]: String( value || '' ) } );
		const select = ( name, label, all, first ) =>
			el( SelectControl, { key: name, label, options: all, value: attributes[ name ] || first, onChange: set( name ) } );
		const turn = ( value ) => ( on ) =>
			set( 'windows' )( kept.filter( ( w ) => ( w === value ? on : tabs.includes( w ) ) ).join( ' ' ) );
		return {
			board: () => select( 'board', __( 'Board', 'laurel' ), options( choices.board ), board ),
			window: () => select( 'window', __( 'Window', 'laurel' ), windows.filter( ( { value } ) => kind !== 'winners' || choices.ending.includes( value ) ), 'month' ),
			layout: () => select( 'layout', __( 'Layout', 'laurel' ), options( choices.layout ), 'table' ),
			limit: () =>
				el( RangeControl, {
					key: 'limit', label: __( 'Rows', 'laurel' ), min: 1, max: kind === 'winners' ? 31 : 100,
					value: Number( attributes.limit || ( kind === 'winners' ? 3 : 10 ) ), onChange: set( 'limit' ),
				} ),
			windows: () =>
				el( 'fieldset', { key: 'windows' }, el( 'legend', {}, __( 'Windows', 'laurel' ) ),
					...windows.map( ( { value, label } ) => el( CheckboxControl, { key: value, label, checked: tabs.includes( value ), onChange: turn( value ) } ) ) ),
		};
	};
	for ( const [ kind, [ title, names ] ] of Object.entries( choices.kinds ) ) {
		wp.blocks.registerBlockType( `laurel/${ kind }`, {
			edit: function ( { attributes, setAttributes } ) {
				const of = fields( kind, attributes, setAttributes );
				return el( 'div', wp.blockEditor.useBlockProps(),
					el( wp.blockEditor.InspectorControls, {}, el( PanelBody, { title }, ...names.map( ( name ) => of[ name ]() ) ) ),
					el( wp.serverSideRender, { block: `laurel/${ kind }`, attributes } )
				);
			},
			save: () => null,
		} );
	}
} )( window.wp, window.laurelChoices );
