import { useQueryClient } from "@tanstack/react-query";
import { CopyButton } from "../../ui/CopyButton";
import { Notice } from "../../ui/Notice";
import { leave, type Operator } from "./operator";

type OtherUserNoticeProps = { operator: Extract<Operator, { kind: "other-user" }> };

/** Tells somebody who is signed in why that is not enough here. */
export function OtherUserNotice({ operator }: OtherUserNoticeProps) {
	const queries = useQueryClient();
	return (
		<Notice kind="warning">
			<div className="stack stack-tight">
				<p>
					You are signed in as <strong>{operator.email}</strong>, who is no platform administrator.
					Whoever runs the service can add this user id to <code>ADMIN_USER_IDS</code>:
				</p>
				<p className="with-button">
					<code className="break">{operator.id}</code>
					<CopyButton value={operator.id} what="user id" />
				</p>
				<p>
					<button
						type="button"
						className="link-button"
						onClick={() => void leave(queries, operator)}
					>
						Sign out
					</button>
				</p>
			</div>
		</Notice>
	);
}
