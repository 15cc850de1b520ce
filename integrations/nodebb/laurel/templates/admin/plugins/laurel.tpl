<div class="acp-page-container">
	<!-- IMPORT admin/partials/settings/header.tpl -->
	<div class="row m-0">
		<div id="spy-container" class="col-12 col-md-8 px-0 mb-4" tabindex="0">
			<h5>Pairing</h5>
			<p>laurel pair prints a code; so does the first start of laurel serve.</p>
			<form role="form" class="laurel-pair">
				<div class="mb-3">
					<label class="form-label" for="pair-url">Address of Laurel</label>
					<input type="url" id="pair-url" class="form-control" placeholder="https://boards.forum.example" required>
				</div>
				<div class="mb-3">
					<label class="form-label" for="pair-code">Code</label>
					<input type="text" id="pair-code" class="form-control" placeholder="ACDE-FHJK-MNPQ" autocomplete="off" required>
				</div>
				<button type="submit" class="btn btn-primary">Pair</button>
			</form>
			<p role="status" class="laurel-status">{status}</p>
			{{{ each differ }}}<p>{./line}</p>{{{ end }}}
			<button type="button" class="btn btn-light laurel-compare">Compare now</button>
			<h5>Settings</h5>
			<form role="form" class="laurel-settings">
				<div class="mb-3">
					<label class="form-label" for="url">Address of Laurel</label>
					<input type="text" id="url" name="url" class="form-control" placeholder="https://laurel.example">
				</div>
				<div class="mb-3">
					<label class="form-label" for="hookSecret">Secret of webhooks</label>
					<input type="password" id="hookSecret" name="hookSecret" class="form-control" autocomplete="off">
				</div>
				<div class="mb-3">
					<label class="form-label" for="userSecret">Secret of tokens</label>
					<input type="password" id="userSecret" name="userSecret" class="form-control" autocomplete="off">
				</div>
				<div class="mb-3">
					<label class="form-label" for="board">Board</label>
					<input type="text" id="board" name="board" class="form-control" placeholder="activity">
				</div>
			</form>
			<p>The last error: {error}</p>
		</div>
		<!-- IMPORT admin/partials/settings/toc.tpl -->
	</div>
</div>
