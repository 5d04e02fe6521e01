import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../../ui/Button";
import { ConfirmBySlug } from "../../ui/ConfirmBySlug";
import { deleteTenant, type Tenant } from "../api/tenants";
import { useChange } from "../change";
import { Described } from "./Described";

export function DeleteTenant({ tenant }: { tenant: Tenant }) {
	const { id, slug, name } = tenant;
	const [isAsking, setAsking] = useState(false);
	const navigate = useNavigate();
	const remove = useChange({
		change: () => deleteTenant(id),
		said: `${name} is deleted.`,
		refresh: [["tenants"], ["overview"]],
		after: () => navigate("/tenants", { replace: true }),
	});
	return (
		<>
			<Described title="Delete the tenant">
				With all of its users, sessions, accounts and credentials. This cannot be undone.
			</Described>
			<Button kind="danger" onClick={() => setAsking(true)}>
				Delete
			</Button>
			<ConfirmBySlug
				title={`Delete ${name}?`}
				slug={slug}
				action="Delete tenant"
				open={isAsking}
				busy={remove.isPending}
				error={remove.error?.message}
				onConfirm={() => remove.mutate()}
				onClose={() => setAsking(false)}
			>
				<p>
					All users, sessions, accounts and credentials of this tenant are gone for good. The audit
					log stays.
				</p>
			</ConfirmBySlug>
		</>
	);
}
