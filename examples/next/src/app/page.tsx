import { isAPIError } from "better-auth/api";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { auth, hosts } from "../auth";
import { SignInForm, SignOutButton, SignUpForm } from "./account-forms";

/** The same path has another page at each host. */
export default async function Page() {
	const requestHeaders = await headers();
	return hosts.isPlatformHost(requestHeaders.get("host") ?? "") ? (
		<PlatformPage />
	) : (
		<TenantPage headers={requestHeaders} />
	);
}

async function PlatformPage() {
	const tenants = await auth.api.listTenants({});
	return (
		<main>
			<h1>Tenants</h1>
			{tenants.map(({ id, name, slug }) => (
				<p key={id}>
					<a href={hosts.originOf(slug)}>{name}</a>
				</p>
			))}
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
