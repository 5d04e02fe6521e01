import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { CodeArea, Form } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { type Directory, directoryKey } from "../api/directory";
import { useIsOwner, useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { findRoleLinesProblem, rolesIn, toRoleLines } from "../group-roles";
import { whyNotSent } from "../save-reasons";
import { useUnsavedChanges } from "../unsaved-changes";

type GroupRolesCardProps = { directory: Directory };

/** The roles that groups of the directory give to their members. */
export function GroupRolesCard({ directory }: GroupRolesCardProps) {
	const may = useMayInTenant();
	const isOwner = useIsOwner();
	const saved = toRoleLines(directory.roles);
	const mayChange = isOwner && may("scim:set-roles");
	return (
		<Card title="Roles of groups" hint={isOwner ? undefined : "Only an owner can change this."}>
			{directory.unknownGroups.length > 0 && (
				<Notice kind="warning">
					The directory has not sent these groups: {directory.unknownGroups.join(", ")}. Write the
					names as the directory does.
				</Notice>
			)}
			{mayChange ? (
				<RolesForm key={saved} saved={saved} />
			) : (
				<pre className="break">{saved || "No group gives a role."}</pre>
			)}
		</Card>
	);
}

function RolesForm({ saved }: { saved: string }) {
	const tenant = useTenant();
	const { setDirectoryRoles } = useApi();
	const [lines, setLines] = useState(saved);
	const problem = findRoleLinesProblem(lines);
	const save = useApiMutation({
		mutationFn: () => setDirectoryRoles(tenant.id, rolesIn(lines)),
		successMessage: "The roles of groups were saved.",
		invalidate: [directoryKey(tenant.id)],
	});
	useUnsavedChanges(lines !== saved && !save.isPending);
	return (
		<Form autoComplete="off" onSubmit={() => !problem && !save.isPending && save.mutate()}>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<CodeArea
				label="Role of each group"
				hint="One group per line. The first line that fits is used. Members get the role at once, and lose it when they leave the group. Owners stay owners."
				placeholder="App Admins = admin"
				rows={4}
				value={lines}
				onValueChange={setLines}
				error={problem}
			/>
			<footer className="row">
				<Button
					kind="primary"
					type="submit"
					busy={save.isPending}
					unavailable={whyNotSent(!problem)}
				>
					Save roles
				</Button>
			</footer>
		</Form>
	);
}
