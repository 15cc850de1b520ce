<div class="acp-page-container">
	<!-- IMPORT admin/partials/settings/header.tpl -->
	<div class="row m-0">
		<div id="spy-container" class="col-12 col-md-8 px-0 mb-4" tabindex="0">
			<h5>[[laurel:pairing]]</h5>
			<p>[[laurel:pairing-explain]]</p>
			<form role="form" class="laurel-pair">
				<div class="mb-3">
					<label class="form-label" for="pair-url">[[laurel:address]]</label>
					<input type="url" id="pair-url" class="form-control" placeholder="https://boards.forum.example" required>
				</div>
				<div class="mb-3">
					<label class="form-label" for="pair-code">[[laurel:code]]</label>
					<input type="text" id="pair-code" class="form-control" placeholder="ACDE-FHJK-MNPQ" autocomplete="off" required>
				</div>
				<button type="submit" class="btn btn-primary">[[laurel:pair]]</button>
			</form>
			<p role="status" class="laurel-status">{status}</p>
			{{{ each differ }}}<p>{./line}</p>{{{ end }}}
			<button type="button" class="btn btn-light laurel-compare">[[laurel:compare-now]]</button>
			<h5>[[laurel:settings]]</h5>
			<form role="form" class="laurel-settings">
				<div class="mb-3">
					<label class="form-label" for="url">[[laurel:address]]</label>
					<input type="text" id="url" name="url" class="form-control" placeholder="https://laurel.example">
				</div>
				<div class="mb-3">
					<label class="form-label" for="hookSecret">[[laurel:hook-secret]]</label>
					<input type="password" id="hookSecret" name="hookSecret" class="form-control" autocomplete="off">
				</div>
				<div class="mb-3">
					<label class="form-label" for="userSecret">[[laurel:user-secret]]</label>
					<input type="password" id="userSecret" name="userSecret" class="form-control" autocomplete="off">
				</div>
				<div class="mb-3">
					<label class="form-label" for="groups">[[laurel:groups]]</label>
					<textarea id="groups" name="groups" class="form-control" rows="4" placeholder="administrators = staff"></textarea>
					<p class="form-text">[[laurel:groups-explain]]</p>
				</div>
				<div class="mb-3">
					<label class="form-label" for="board">[[laurel:board]]</label>
					<select id="board" name="board" class="form-select">{{{ each boards }}}<option value="{./name}">{./title}</option>{{{ end }}}</select>
				</div>
			</form>
			{{{ if error }}}<p>[[laurel:last-error]] {error}</p>{{{ end }}}
		</div>
		<!-- IMPORT admin/partials/settings/toc.tpl -->
	</div>
</div>
