import { useState } from "react";
import { useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { Card } from "../../ui/layout";
import { overviewQuery } from "../api/service";
import {
	deleteTenant,
	resumeTenant,
	suspendTenant,
	TENANTS_KEY,
	type Tenant,
	tenantQuery,
} from "../api/tenants";
import { ActionItem } from "../layout";

type TenantProps = { tenant: Tenant };

export function DangerZone({ tenant }: TenantProps) {
	return (
		<Card title="Suspend or delete">
			<ul className="items">
				{tenant.suspendedAt ? <ResumeTenant tenant={tenant} /> : <SuspendTenant tenant={tenant} />}
				<DeleteTenant tenant={tenant} />
			</ul>
		</Card>
	);
}

function ResumeTenant({ tenant: { id, name } }: TenantProps) {
	const resume = useApiMutation({
		mutationFn: () => resumeTenant(id),
		successMessage: `${name} was resumed.`,
		invalidate: [tenantQuery(id).queryKey, TENANTS_KEY],
	});
	return (
		<ActionItem
			title="Resume tenant"
			hint="Users can sign in again, and their sessions work again."
			error={resume.error}
		>
			<Button busy={resume.isPending} onClick={() => resume.mutate()}>
				Resume
			</Button>
		</ActionItem>
	);
}

function SuspendTenant({ tenant: { id, slug, name } }: TenantProps) {
	const [isOpen, setOpen] = useState(false);
	const suspend = useApiMutation({
		mutationFn: () => suspendTenant(id),
		successMessage: `${name} was suspended.`,
		invalidate: [tenantQuery(id).queryKey, TENANTS_KEY],
		onSuccess: () => setOpen(false),
	});
	return (
		<ActionItem
			title="Suspend tenant"
			hint="Users cannot sign in, and their sessions are rejected, until you resume the tenant. No data is deleted."
		>
			<Button onClick={() => setOpen(true)}>Suspend</Button>
			<ConfirmByTyping
				title={`Suspend ${name}?`}
				expected={slug}
				action="Suspend tenant"
				open={isOpen}
				busy={suspend.isPending}
				error={suspend.error?.message}
				onConfirm={() => suspend.mutate()}
				onClose={() => setOpen(false)}
			>
				<p>All users of this tenant lose access at once, until you resume it.</p>
			</ConfirmByTyping>
		</ActionItem>
	);
}

function DeleteTenant({ tenant: { id, slug, name } }: TenantProps) {
	const [isOpen, setOpen] = useState(false);
	const navigate = useNavigate();
	const remove = useApiMutation({
		mutationFn: () => deleteTenant(id),
		successMessage: `${name} was deleted.`,
		invalidate: [TENANTS_KEY, overviewQuery.queryKey],
		onSuccess: () => navigate("/tenants", { replace: true }),
	});
	return (
		<ActionItem
			title="Delete tenant"
			hint="Deletes all users, sessions, accounts and credentials of the tenant. You cannot undo this."
		>
			<Button kind="danger" onClick={() => setOpen(true)}>
				Delete
			</Button>
			<ConfirmByTyping
				title={`Delete ${name}?`}
				expected={slug}
				action="Delete tenant"
				open={isOpen}
				busy={remove.isPending}
				error={remove.error?.message}
				onConfirm={() => remove.mutate()}
				onClose={() => setOpen(false)}
			>
				<p>
					This permanently deletes all users, sessions, accounts and credentials of this tenant. The
					audit log is kept.
				</p>
			</ConfirmByTyping>
		</ActionItem>
	);
}
