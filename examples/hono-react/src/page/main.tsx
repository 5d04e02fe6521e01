import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Account } from "./account.js";
import { client, enterWorkspace, slug, type Workspace } from "./client.js";
import { SignIn } from "./sign-in.js";

/** Asks for the tenant. The form opens its path. */
function ChooseWorkspace({ message }: { message?: string }) {
	return (
		<form
			action={(form) => location.assign(`/${encodeURIComponent(String(form.get("workspace")))}`)}
		>
			<h1>Notes</h1>
			{message && (
				<p className="error" role="alert">
					{message}
				</p>
			)}
			<label>
				Workspace <input name="workspace" placeholder="acme" required />
			</label>
			<button type="submit">Continue</button>
		</form>
	);
}

function Page({ workspace }: { workspace: Workspace }) {
	const { data: session, isPending } = client.useSession();
	if (!slug) return <ChooseWorkspace />;
	if (!workspace) return <ChooseWorkspace message="There is no such workspace." />;
	if (isPending) return null;
	return session ? <Account user={session.user} /> : <SignIn workspace={workspace} />;
}

const workspace = slug ? await enterWorkspace() : null;

createRoot(document.getElementById("app") as HTMLElement).render(
	<StrictMode>
		<Page workspace={workspace} />
	</StrictMode>,
);
