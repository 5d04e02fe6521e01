import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { unwrap } from "../../api/unwrap";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { TextField } from "../../ui/TextField";
import { useToast } from "../../ui/Toast";
import { messageOf } from "../messages";
import { sessionKey } from "../session";
import { useTenant } from "../tenant-context";
import { useCall } from "../use-call";

export function ProfileCard({ user }: { user: { name: string } }) {
	const { client, options } = useTenant();
	const toast = useToast();
	const queryClient = useQueryClient();
	const [name, setName] = useState(user.name);
	const save = useCall(
		() => unwrap(client.updateUser({ name: name.trim() })),
		() => {
			toast("Your name is saved.");
			return queryClient.invalidateQueries({ queryKey: sessionKey(options.tenant.id) });
		},
	);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		save.mutate();
	};
	return (
		<Card title="Profile">
			<form className="account-form" onSubmit={submit}>
				<TextField
					label="Name"
					name="name"
					autoComplete="name"
					required
					maxLength={200}
					value={name}
					onChange={(event) => setName(event.target.value)}
					error={save.error && messageOf(save.error)}
				/>
				<Button type="submit" busy={save.isPending} disabled={name.trim() === user.name}>
					Save
				</Button>
			</form>
		</Card>
	);
}
