#pragma once
guarded
