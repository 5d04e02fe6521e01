import { describeMatrix } from "./matrix/plugins/describe-matrix";
import { adminMatrix } from "./matrix/plugins/admin";

describeMatrix(adminMatrix);
