/** For `npm run generate`. Add the file of your own tables to `schema`. */
export default {
	dialect: "postgresql",
	schema: ["./src/auth-schema.ts"],
	out: "./drizzle",
};
