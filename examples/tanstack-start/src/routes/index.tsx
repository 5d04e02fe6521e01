import { createFileRoute, Link } from "@tanstack/react-router";
import { listTenants } from "../tenant-page";

export const Route = createFileRoute("/")({
	loader: () => listTenants(),
	component: TenantsPage,
});

function TenantsPage() {
	return (
		<>
			<h1>Tenants</h1>
			{Route.useLoaderData().map(({ name, slug }) => (
				<p key={slug}>
					<Link to="/$slug" params={{ slug }}>
						{name}
					</Link>
				</p>
			))}
		</>
	);
}
