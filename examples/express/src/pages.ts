/** Text that users wrote must not become HTML. */
const escapeHtml = (text: string) =>
	text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
	<meta charset="utf-8">
	<meta name="viewport" content="width=device-width">
	<title>${escapeHtml(title)}</title>
	<style>
		body { font: 1rem/1.5 system-ui; max-width: 22rem; margin: 3rem auto; padding: 0 1rem }
		form, label { display: grid; gap: .25rem; margin-bottom: .75rem }
		input, button { font: inherit; padding: .4rem }
		.error { color: #b00020 }
	</style>
	<main>
		<h1>${escapeHtml(title)}</h1>
		${body}
	</main>
</html>`;

/** It asks, because a list would show who your customers are. */
export const homePage = () =>
	page(
		"Sign in",
		`<form>
		<label>Workspace <input name="workspace" placeholder="acme" required></label>
		<button>Continue</button>
	</form>`,
	);

export const notFoundPage = () => page("Not found", `<p>There is no such tenant.</p>`);

export const signInPage = (tenant: string, error?: string) =>
	page(
		tenant,
		`${error ? `<p class="error" role="alert">${escapeHtml(error)}</p>` : ""}
	<form method="post" action="/sign-in">
		<h2>Sign in</h2>
		<label>Email <input name="email" type="email" autocomplete="email" required></label>
		<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
		<button>Sign in</button>
	</form>
	<form method="post" action="/sign-up">
		<h2>Create an account</h2>
		<label>Name <input name="name" autocomplete="name" required></label>
		<label>Email <input name="email" type="email" autocomplete="email" required></label>
		<label>Password <input name="password" type="password" autocomplete="new-password" minlength="8" required></label>
		<button>Create account</button>
	</form>`,
	);

export const accountPage = (tenant: string, user: { name: string; email: string }) =>
	page(
		tenant,
		`<p>Hello, <b>${escapeHtml(user.name)}</b> (${escapeHtml(user.email)}).</p>
	<form method="post" action="/sign-out"><button>Sign out</button></form>`,
	);
