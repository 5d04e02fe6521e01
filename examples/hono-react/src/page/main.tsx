import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { Account } from "./account.js";
import { client, findWorkspace, type Workspace } from "./client.js";
import { SignIn } from "./sign-in.js";

/** Asks for the tenant. The form opens its host. */
function ChooseWorkspace() {
	const [problem, setProblem] = useState<string>();

	function choose(form: FormData) {
		const slug = String(form.get("workspace")).trim();
		// Anything else could lead to another site.
		if (/^[a-z\d-]+$/.test(slug)) location.assign(`//${slug}.${location.host}`);
		else setProblem("A workspace has lowercase letters, digits and hyphens.");
	}

	return (
		<form action={choose}>
			<h1>Notes</h1>
			{problem && (
				<p className="error" role="alert">
					{problem}
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
	if (isPending) return null;
	return session ? <Account user={session.user} /> : <SignIn workspace={workspace} />;
}

const { data: workspace, error } = await findWorkspace();

createRoot(document.getElementById("app") as HTMLElement).render(
	<StrictMode>
		{workspace && <Page workspace={workspace} />}
		{error?.code === "TENANT_ID_REQUIRED" && <ChooseWorkspace />}
		{error?.code === "TENANT_NOT_FOUND" && <p role="alert">There is no such workspace.</p>}
	</StrictMode>,
);
