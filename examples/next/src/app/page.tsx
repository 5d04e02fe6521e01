import { isAPIError } from "better-auth/api";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { auth, hosts } from "../auth";
import { SignInForm, SignOutButton, SignUpForm } from "./account-forms";

/** The same path has another page at each host. */
export default async function Page({
	searchParams,
}: {
	searchParams: Promise<{ workspace?: string | string[] }>;
}) {
	const requestHeaders = await headers();
	if (!hosts.isPlatformHost(requestHeaders.get("host") ?? "")) {
		return <TenantPage headers={requestHeaders} />;
	}
	const slug = String((await searchParams).workspace ?? "").trim();
	// Anything else could lead to another site.
	if (/^[a-z\d-]+$/.test(slug)) redirect(hosts.originOf(slug));
	return <PlatformPage />;
}

/** It asks, because a list would show who your customers are. */
function PlatformPage() {
	return (
		<main>
			<h1>Sign in</h1>
			<form>
				<label>
					Workspace <input name="workspace" placeholder="acme" required />
				</label>
				<button type="submit">Continue</button>
			</form>
		</main>
	);
}

/** The headers name the host: a session of another tenant does not count here. */
async function TenantPage({ headers }: { headers: Headers }) {
	const tenant = await findTenant(headers);
	if (!tenant) notFound();
	const session = await auth.api.getSession({ headers });
	return (
		<main>
			<h1>{tenant.name}</h1>
			{session ? (
				<>
					<p>
						Hello, <b>{session.user.name}</b> ({session.user.email}).
					</p>
					<SignOutButton />
				</>
			) : (
				<>
					<SignInForm />
					<SignUpForm />
				</>
			)}
		</main>
	);
}

async function findTenant(headers: Headers) {
	try {
		const { tenant } = await auth.api.tenantLoginOptions({ headers });
		return tenant;
	} catch (error) {
		if (isAPIError(error) && error.statusCode < 500) return null;
		throw error;
	}
}
