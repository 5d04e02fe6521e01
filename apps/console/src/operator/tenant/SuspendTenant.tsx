import { useState } from "react";
import { Button } from "../../ui/Button";
import { ConfirmBySlug } from "../../ui/ConfirmBySlug";
import { resumeTenant, suspendTenant, type Tenant } from "../api/tenants";
import { useChange } from "../change";
import { tenantKey } from "./current-tenant";
import { Described } from "./Described";

export function SuspendTenant({ tenant }: { tenant: Tenant }) {
	const { id, slug, name, suspendedAt } = tenant;
	const [isAsking, setAsking] = useState(false);
	const refresh = [tenantKey(id), ["tenants"]];
	const suspend = useChange({
		change: () => suspendTenant(id),
		said: `${name} is suspended.`,
		refresh,
		after: () => setAsking(false),
	});
	const resume = useChange({
		change: () => resumeTenant(id),
		said: `${name} is resumed.`,
		refresh,
	});
	if (suspendedAt) {
		return (
			<>
				<Described title="Resume the tenant" error={resume.error}>
					Its users can sign in again, and sessions from before count again.
				</Described>
				<Button busy={resume.isPending} onClick={() => resume.mutate()}>
					Resume
				</Button>
			</>
		);
	}
	return (
		<>
			<Described title="Suspend the tenant">
				Nobody can sign in and no session counts until it is resumed. Nothing is deleted.
			</Described>
			<Button onClick={() => setAsking(true)}>Suspend</Button>
			<ConfirmBySlug
				title={`Suspend ${name}?`}
				slug={slug}
				action="Suspend tenant"
				open={isAsking}
				busy={suspend.isPending}
				error={suspend.error?.message}
				onConfirm={() => suspend.mutate()}
				onClose={() => setAsking(false)}
			>
				<p>All of its users are out at once, until you resume it.</p>
			</ConfirmBySlug>
		</>
	);
}
