import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Card } from "../../ui/Card";
import { Skeleton } from "../../ui/Skeleton";
import { listEffectiveProviders } from "../api/providers";
import { listSessions, listUsers } from "../api/users";
import { formatMoment } from "../format/moment";
import { Facts } from "../lists/Facts";
import { Figure } from "../overview/Figure";
import { providersKey } from "../providers/providers-key";
import { useTenant } from "./current-tenant";
import { useTenantAddresses } from "./tenant-addresses";

const FIRST = { limit: 1, offset: 0 };

export function OverviewTab() {
	const tenant = useTenant();
	const { id, slug, createdAt, updatedAt } = tenant;
	const addresses = useTenantAddresses(slug);
	const users = useQuery({
		queryKey: ["users", id, FIRST],
		queryFn: () => listUsers(id, FIRST),
	});
	const sessions = useQuery({
		queryKey: ["sessions", id, FIRST],
		queryFn: () => listSessions(id, FIRST),
	});
	const providers = useQuery({
		queryKey: providersKey(id),
		queryFn: () => listEffectiveProviders(id),
	});
	return (
		<div className="stack">
			<div className="figures">
				<Figure title="Users" query={users} count={({ total }) => total} to="users" />
				<Figure title="Sessions" query={sessions} count={({ total }) => total} to="sessions" />
				<Figure
					title="Working providers"
					query={providers}
					count={(all) => all.filter(({ source }) => source !== "none").length}
					to="providers"
				/>
			</div>
			<Card title="Sign-in page" hint="Where this tenant's users sign in and sign up.">
				<Facts
					facts={[
						{
							title: "Address",
							value: addresses ? (
								<a href={addresses.signIn} target="_blank" rel="noreferrer">
									{addresses.signIn}
								</a>
							) : (
								<Skeleton />
							),
							...(addresses ? { copy: addresses.signIn } : {}),
						},
					]}
				/>
			</Card>
			<Card
				title="Details"
				actions={
					<Link to="settings" className="button button-secondary button-small">
						Edit
					</Link>
				}
			>
				<Facts
					facts={[
						{ title: "Tenant id", value: <code>{id}</code>, copy: id },
						{ title: "Slug", value: <code>{slug}</code>, copy: slug },
						{ title: "Created", value: formatMoment(createdAt) },
						{ title: "Changed", value: formatMoment(updatedAt) },
					]}
				/>
			</Card>
		</div>
	);
}
