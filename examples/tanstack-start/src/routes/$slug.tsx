import { createFileRoute } from "@tanstack/react-router";
import { AccountForms, SignOutForm } from "../account-forms";
import { readTenantPage } from "../tenant-page";

export const Route = createFileRoute("/$slug")({
	loader: ({ params }) => readTenantPage({ data: params.slug }),
	head: ({ loaderData }) => ({ meta: [{ title: loaderData?.tenant.name }] }),
	component: TenantPage,
});

function TenantPage() {
	const { tenant, user } = Route.useLoaderData();
	return (
		<>
			<h1>{tenant.name}</h1>
			{user ? (
				<>
					<p>
						Hello, <b>{user.name}</b> ({user.email}).
					</p>
					<SignOutForm tenantId={tenant.id} />
				</>
			) : (
				<AccountForms tenantId={tenant.id} />
			)}
		</>
	);
}
