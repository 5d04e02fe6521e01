import { useState } from "react";
import { useNavigate } from "react-router";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { ConfirmByTyping } from "../../ui/Dialog";
import { Card } from "../../ui/layout";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { OVERVIEW_KEY } from "../api/service";
import { TENANTS_KEY, type Tenant } from "../api/tenants";
import { useMayInTenant } from "../current-tenant/tenant-context";
import { ActionItem } from "../layout";

type TenantProps = { tenant: Tenant };

export function DangerZone({ tenant }: TenantProps) {
	const [openDialog, setOpenDialog] = useState<"suspend" | "delete">();
	const close = () => setOpenDialog(undefined);
	const navigate = useNavigate();
	const resume = useResumeTenant();
	const may = useMayInTenant();
	const maySuspend = may(tenant.suspendedAt ? "tenant:resume" : "tenant:suspend");
	if (!maySuspend && !may("tenant:delete")) return null;
	return (
		<Card title="Suspend or delete">
			<ul className="items">
				{maySuspend && tenant.suspendedAt && (
					<ActionItem
						title="Resume tenant"
						hint="Users can sign in again, and their sessions work again."
					>
						<Button busy={resume.isPending} onClick={() => resume.mutate(tenant)}>
							Resume
						</Button>
					</ActionItem>
				)}
				{maySuspend && !tenant.suspendedAt && (
					<ActionItem
						title="Suspend tenant"
						hint="Users cannot sign in, and their sessions are rejected, until you resume the tenant. No data is deleted."
					>
						<Button onClick={() => setOpenDialog("suspend")}>Suspend</Button>
					</ActionItem>
				)}
				{may("tenant:delete") && (
					<ActionItem
						title="Delete tenant"
						hint="Deletes all users, sessions, accounts and credentials of the tenant. You cannot undo this."
					>
						<Button kind="danger" onClick={() => setOpenDialog("delete")}>
							Delete
						</Button>
					</ActionItem>
				)}
			</ul>
			<SuspendTenantDialog tenant={tenant} open={openDialog === "suspend"} onClose={close} />
			<DeleteTenantDialog
				tenant={tenant}
				open={openDialog === "delete"}
				onClose={close}
				onDeleted={() => void navigate("/tenants", { replace: true })}
			/>
		</Card>
	);
}

export function useResumeTenant() {
	const { resumeTenant } = useApi();
	const toast = useToast();
	return useApiMutation({
		mutationFn: ({ id }: Tenant) => resumeTenant(id),
		invalidate: [["tenant"], TENANTS_KEY],
		onSuccess: ({ name }) => toast(`${name} was resumed.`),
		onError: ({ message }) => toast(message, "danger"),
	});
}

type DialogProps = TenantProps & { open: boolean; onClose: () => void };

export function SuspendTenantDialog({ tenant: { id, slug, name }, open, onClose }: DialogProps) {
	const { suspendTenant, tenantQuery } = useApi();
	const suspend = useApiMutation({
		mutationFn: () => suspendTenant(id),
		successMessage: `${name} was suspended.`,
		invalidate: [tenantQuery(id).queryKey, TENANTS_KEY],
		onSuccess: onClose,
	});
	return (
		<ConfirmByTyping
			title={`Suspend ${name}?`}
			expected={slug}
			action="Suspend tenant"
			open={open}
			mutation={suspend}
			onClose={onClose}
		>
			<p>All users of this tenant lose access at once, until you resume it.</p>
		</ConfirmByTyping>
	);
}

type DeleteTenantProps = DialogProps & { onDeleted?: () => void };

export function DeleteTenantDialog(props: DeleteTenantProps) {
	const { tenant, open, onClose, onDeleted } = props;
	const { id, slug, name } = tenant;
	const { deleteTenant } = useApi();
	const remove = useApiMutation({
		mutationFn: () => deleteTenant(id),
		successMessage: `${name} was deleted.`,
		invalidate: [TENANTS_KEY, OVERVIEW_KEY],
		onSuccess: () => {
			onClose();
			onDeleted?.();
		},
	});
	return (
		<ConfirmByTyping
			title={`Delete ${name}?`}
			expected={slug}
			action="Delete tenant"
			open={open}
			mutation={remove}
			onClose={onClose}
		>
			<p>
				This permanently deletes all users, sessions, accounts and credentials of this tenant. The
				audit log is kept.
			</p>
		</ConfirmByTyping>
	);
}
